import { Component, type ReactNode } from 'react'
import { CrashPage } from './CrashPage.tsx'

/** Shows a way on instead of an empty window when a page breaks while it is drawn. */
export class CrashBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    return this.state.broken ? <CrashPage /> : this.props.children
  }
}
