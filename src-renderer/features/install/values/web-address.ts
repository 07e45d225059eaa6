/** In characters. */
const LONGEST = 2_000

/** Whether a page's address may fill this in as a server's: a web address with nothing in it that could be a key. */
export function isWebAddress(text: string): boolean {
  const url = text.length > LONGEST ? null : URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  return [url.username, url.password, url.search, url.hash].every((part) => part === '')
}
