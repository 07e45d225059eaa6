/** Parses an address that may be opened: https only. */
export function safeLink(address: string | undefined): URL | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  const url = new URL(address)
  return url.protocol === 'https:' ? url : undefined
}

/** Returns a link's label: owner and repository at GitHub, host and path elsewhere. */
export function linkText({ hostname, pathname }: URL): string {
  const path = pathname.replace(/\/$/, '')
  return hostname === 'github.com' ? path.slice(1) : hostname + path
}
