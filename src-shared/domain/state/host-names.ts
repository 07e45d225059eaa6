/** A DNS name, an IPv4 address, or an IPv6 address in brackets; no port, scheme or wildcard. */
const HOST_NAME = /^(?:[a-z\d](?:[\w-]*[a-z\d])?(?:\.[a-z\d](?:[\w-]*[a-z\d])?)*|\[[\da-f:]+\])$/u
const MAX_NAME_LENGTH = 253

/** Returns the names of a comma-separated list in lower case; undefined if one of them is no host name. */
export function readHostNames(text: string): readonly string[] | undefined {
  const names = text
    .split(',')
    .map((name) => name.trim().toLowerCase().replace(/\.$/u, ''))
    .filter((name) => name !== '')
  const areValid = names.every((name) => name.length <= MAX_NAME_LENGTH && HOST_NAME.test(name))
  return areValid ? names : undefined
}
