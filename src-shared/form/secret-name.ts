const SECRET_WORDS = new Set([
  ...['key', 'keys', 'apikey', 'token', 'secret', 'secrets', 'password', 'passwd', 'passphrase'],
  ...['pwd', 'pass', 'auth', 'authorization', 'credential', 'credentials', 'pat', 'bearer'],
  ...['cookie', 'jwt', 'accesskey', 'secretkey', 'authtoken', 'accesstoken', 'privatekey'],
])
/** What follows a secret's name when something about the secret is meant, and not the secret itself. */
const ABOUT_WORDS = new Set([
  ...['url', 'uri', 'endpoint', 'type', 'mode', 'path', 'file', 'dir', 'name', 'limit', 'count'],
  ...['ttl', 'expiry', 'scheme', 'method', 'provider', 'header', 'length', 'size', 'budget'],
  ...['enabled', 'required', 'disabled', 'timeout', 'host', 'port', 'server', 'store', 'prefix'],
])
const ID_WORDS = new Set(['id'])

/** Whether a name says that its value is a secret: `API_KEY`, `--authToken`, `X-Auth-Token`, but not `TOKEN_URL`. */
export function namesSecret(name: string): boolean {
  const words = name
    .slice(0, 200)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '' && !/^\d+$/.test(word))
  const last = words.at(-1) ?? ''
  if (ABOUT_WORDS.has(last)) return false
  // An access key id is a half of the pair that clouds ask for; an id alone is none.
  if (ID_WORDS.has(last)) return words.includes('access') && words.includes('key')
  return words.some((word) => SECRET_WORDS.has(word)) && !words.includes('public')
}
