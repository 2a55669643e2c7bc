import { Section } from '#web/kit/Section.tsx'

export const Part = () => <Section title="Notes">Every site has its own.</Section>
