/**
 * Whether a text can be a client ID that names where its metadata is (OAuth client ID metadata document, 3): https, with
 * a path, without a name, a password or `#`, and as it is written once it is read, since servers compare it letter by letter.
 */
export function isClientMetadataUrl(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false
  const { href, protocol, pathname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return href === text && protocol === 'https:' && pathname !== '/'
}
