/** Words that make a name secret anywhere in it. */
const SECRET_WORDS = new Set([
  ...['key', 'keys', 'apikey', 'apikeys', 'token', 'secret', 'secrets', 'password', 'passwords'],
  ...['passwd', 'passphrase', 'passcode', 'pwd', 'authorization', 'credential', 'credentials'],
  ...['creds', 'bearer', 'cookie', 'jwt'],
])
/** Words that make a name secret only at its end: `DB_PASS`, but not `PASS_THROUGH`. */
const LAST_SECRET_WORDS = new Set(['auth', 'pass', 'pat'])
/** Words joined to the previous word: `PGPASSWORD`, `ghtoken`. */
const SECRET_ENDING = /(?:password|passwd|passphrase|pwd|token|secret|credentials?)$/u
/** Prefixes that make `key`, `tokens` or `pass` a secret: `OPENAIKEY`, but not `MONKEY` or `HOTKEY`. */
const KEY_ENDING = new RegExp(
  `(?:${[
    ...['api', 'app', 'application', 'access', 'account', 'admin', 'auth', 'bot', 'client'],
    ...['ai', 'consumer', 'deploy', 'encryption', 'hmac', 'jwt', 'license', 'llm', 'master'],
    ...['private', 'rsa'],
    ...['secret', 'service', 'session', 'shared', 'signing', 'ssh', 'storage', 'subscription'],
    ...['anthropic', 'aws', 'azure', 'brave', 'claude', 'cohere', 'datadog', 'deepseek'],
    ...['elevenlabs', 'exa', 'figma', 'firecrawl', 'gemini', 'github', 'gitlab', 'google', 'grok'],
    ...['groq', 'huggingface', 'jina', 'linear', 'mailgun', 'mistral', 'newrelic', 'notion'],
    ...['openai', 'openrouter', 'perplexity', 'pinecone', 'qdrant', 'replicate', 'sendgrid'],
    ...['sentry', 'serpapi', 'serper', 'slack', 'stripe', 'supabase', 'tavily', 'twilio', 'xai'],
  ].join('|')})keys?$|(?:api|access|auth|bot|refresh)tokens$|` +
    '(?:admin|db|database|ftp|http|imap|ldap|mail|mongo|mysql|pg|postgres|proxy|redis|root|smtp|sql|user)pass$',
  'u',
)
/** Words after a secret's name that describe the secret instead of being it. */
const ABOUT_WORDS = new Set([
  ...['url', 'uri', 'endpoint', 'type', 'mode', 'path', 'file', 'dir', 'name', 'limit', 'count'],
  ...['ttl', 'expiry', 'scheme', 'method', 'provider', 'header', 'length', 'size', 'budget'],
  ...['enabled', 'required', 'disabled', 'timeout', 'host', 'port', 'server', 'store', 'prefix'],
  ...['algorithm', 'alias', 'arn', 'audience', 'cmd', 'column', 'command', 'date', 'directory'],
  ...['env', 'expiration', 'expires', 'field', 'folder', 'format', 'helper', 'interval', 'issuer'],
  ...['kind', 'lifetime', 'location', 'manager', 'max', 'min', 'permission', 'permissions'],
  ...['policy', 'region', 'rotation', 'scope', 'scopes', 'strategy', 'suffix', 'usage', 'user'],
  ...['username', 'vault', 'version', 'window', 'address', 'contract', 'decimals', 'mint'],
  ...['symbol'],
])
/** Words before a secret's name that make it a switch or a number: `MAX_TOKEN`, `DISABLE_AUTH`. */
const FIRST_ABOUT_WORDS = new Set([
  ...['allow', 'disable', 'disabled', 'enable', 'enabled', 'has', 'is', 'max', 'min', 'no', 'num'],
  ...['require', 'requires', 'skip', 'use', 'without'],
])
/** Words that make a name an ordinary value anywhere in it. */
const OPEN_WORDS = new Set(['in', 'max', 'min', 'num', 'public', 'publishable'])
/** Keys of databases, boards and programs, by the word before `key`. */
const OPEN_KEYS = new Set([
  ...['board', 'cache', 'column', 'composite', 'dictionary', 'foreign', 'group', 'hot'],
  ...['idempotency', 'index', 'issue', 'json', 'metadata', 'object', 'order', 'partition'],
  ...['primary', 'project', 'range', 'routing', 'row', 'shortcut', 'sort', 'space', 'team'],
  ...['translation', 'unique'],
])
/** Tokens of pages, progress and language models, by the word before `token`. */
const OPEN_TOKENS = new Set([
  ...['bos', 'cancellation', 'continuation', 'cursor', 'eos', 'mask', 'next', 'pad', 'page'],
  ...['pagination', 'progress', 'resume', 'start', 'stop', 'sync', 'unk'],
])
/** Ordinary names that end like a secret: the previous folder and a credentials file. */
const OPEN_NAMES = new Set(['oldpwd', 'google application credentials'])

/** Whether the value of this name is a secret: `API_KEY`, `--dbpassword`, `X-Auth-Token`, but not `TOKEN_URL`. */
export function namesSecret(name: string): boolean {
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  if (ABOUT_WORDS.has(last) || FIRST_ABOUT_WORDS.has(words[0] ?? '')) return false
  if (OPEN_NAMES.has(words.join(' ')) || words.some((word) => OPEN_WORDS.has(word))) return false
  // An access key id is half of the pair that clouds require; any other id is no secret.
  if (last === 'id') return words.includes('access') && words.includes('key')
  return (
    LAST_SECRET_WORDS.has(last) ||
    words.some((word, index) => isSecretWord(word, words[index - 1] ?? ''))
  )
}

function wordsOf(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.toLowerCase().replace(/\d+$/u, ''))
    .filter((word) => word !== '')
}

function isSecretWord(word: string, before: string): boolean {
  if (SECRET_WORDS.has(word)) return !isOpen(word, before)
  if (KEY_ENDING.test(word)) return true
  const [ending = ''] = SECRET_ENDING.exec(word) ?? []
  const lead = word.slice(0, word.length - ending.length)
  return ending !== '' && !isOpen(ending, lead) && !FIRST_ABOUT_WORDS.has(lead)
}

function isOpen(word: string, before: string): boolean {
  if (word === 'token') return OPEN_TOKENS.has(before)
  return (word === 'key' || word === 'keys') && OPEN_KEYS.has(before)
}
