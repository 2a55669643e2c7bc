/** What a file of pixels says about itself. */
export interface ImageFacts {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif'
  readonly width: number
  readonly height: number
}

type Size = Pick<ImageFacts, 'width' | 'height'>

const AVIF_HEAD_BYTES = 65_536
const NAMES = /\.(?:png|jpe?g|gif|webp|avif)$/i

/** Whether a file is shown instead of edited. SVG is not among them: it is markup, and opens as text. */
export const isImageName = (name: string): boolean => NAMES.test(name)

const textAt = (view: DataView, at: number, length: number): string =>
  Array.from({ length }, (_, index) => String.fromCharCode(view.getUint8(at + index))).join('')

const webpSize = (view: DataView): Size | undefined => {
  const threeAt = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_00_00
  const kind = textAt(view, 12, 4)
  if (kind === 'VP8X') return { width: threeAt(24) + 1, height: threeAt(27) + 1 }
  if (kind === 'VP8 ') return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (kind !== 'VP8L') return undefined
  const bits = view.getUint32(21, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** Frames begin with C0 to CF, apart from three tables that share these numbers. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const jpegSize = (view: DataView): Size | undefined => {
  for (let at = 2; view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1)
    if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return undefined
}

/** The largest of the pictures it names: parts of a grid and a small copy have a size, too. */
const avifSize = (view: DataView): Size | undefined => {
  const head = textAt(view, 0, Math.min(view.byteLength, AVIF_HEAD_BYTES))
  const sizes = [...head.matchAll(/ispe/g)].map(({ index }) => ({
    width: view.getUint32(index + 8),
    height: view.getUint32(index + 12),
  }))
  return sizes.toSorted((a, b) => b.width * b.height - a.width * a.height)[0]
}

const kinds: readonly { type: ImageFacts['type']; begins: RegExp; size: (view: DataView) => Size | undefined }[] = [
  {
    type: 'image/png',
    begins: /^\x89PNG\r\n\x1a\n/,
    size: view => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  },
  {
    type: 'image/gif',
    begins: /^GIF8[79]a/,
    size: view => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  },
  { type: 'image/webp', begins: /^RIFF[^]{4}WEBP/, size: webpSize },
  { type: 'image/jpeg', begins: /^\xff\xd8\xff/, size: jpegSize },
  { type: 'image/avif', begins: /^[^]{4}ftyp(?:avif|avis|mif1)/, size: avifSize },
]

/** What the bytes are, whatever their name says; undefined for anything else and for what is cut off. */
export const imageIn = (bytes: Uint8Array): ImageFacts | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const begin = textAt(view, 0, 12)
    const kind = kinds.find(({ begins }) => begins.test(begin))
    const size = kind?.size(view)
    return kind && size && size.width > 0 && size.height > 0 ? { type: kind.type, ...size } : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
