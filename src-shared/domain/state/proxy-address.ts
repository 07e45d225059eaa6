/**
 * Normalizes a proxy address as typed: `proxy.example:8080` means http. Undefined for an invalid one, and for one with a name, a password
 * or a path, which do not belong in the settings file.
 */
export function readProxyAddress(text: string): string | undefined {
  const typed = text.trim()
  const address = /^[a-z][\d+.a-z-]*:\/\//iu.test(typed) ? typed : `http://${typed}`
  // Chromium accepts a space in a host and writes it as %20.
  if (/\s/u.test(typed) || !URL.canParse(address)) return undefined
  const { protocol, host, username, password, pathname, search, hash } = new URL(address)
  const isBare = [username, password, search, hash].every((part) => part === '')
  if (!/^https?:$/u.test(protocol) || !isBare || pathname !== '/') return undefined
  return `${protocol}//${host}`
}

/** Whether a text is a normalized proxy address. */
export function isProxyAddress(text: string): boolean {
  return readProxyAddress(text) === text
}
