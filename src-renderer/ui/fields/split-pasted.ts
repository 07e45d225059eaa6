/** The entries of a pasted list, split at commas and line ends, trimmed, empty ones left out. */
export function splitPasted(text: string): string[] {
  return text
    .split(/[,\r\n]+/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}
