const WHOLE = new Intl.NumberFormat(undefined, { useGrouping: false, maximumFractionDigits: 0 })
const TENTHS = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})
const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** A size as a person says it: `0 bytes`, `12 KB`, `1.4 MB`. */
export function formatBytes(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024
    unit += 1
  }
  const number = unit > 1 && size < 10 ? TENTHS : WHOLE
  return `${number.format(size)} ${UNITS[unit] ?? 'TB'}`
}
