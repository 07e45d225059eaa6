import { describe, expect, it } from 'vitest'

import { namesSecret } from './secret-name'

const SECRETS = [
  ...['API_KEY', 'apiKey', 'X-Api-Key', '--api-key', 'OPENAI_API_KEY', 'OPENAIKEY', 'OpenAIKey'],
  ...['PGPASSWORD', 'DBPASSWORD', '--dbpassword', 'MYSQL_PWD', 'mysqlpwd', 'SMTPPASS', 'DB_PASS'],
  ...['GHTOKEN', 'GITHUB_TOKEN', 'GITHUB_PAT', 'TOKEN', 'TOKEN_2', 'GHTOKEN2', 'authtoken'],
  ...['ACCESSTOKEN_WORK', 'SECRET', 'CLIENTSECRET', 'clientSecret', 'SECRET_KEY_BASE'],
  ...['SNOWFLAKE_PRIVATE_KEY_FILE_PWD', 'SNOWFLAKE_PASSCODE', 'PASSPHRASE', 'REDISPASSWORD'],
  ...['AWS_ACCESS_KEY_ID', 'AWSACCESSKEY', 'PRIVATEKEY', 'ENCRYPTION_KEY', 'STRIPEKEY', 'KEY'],
  ...['Authorization', 'X-Auth', 'BASIC_AUTH', 'BEARER', 'Cookie', 'DB_CREDENTIALS', 'APITOKENS'],
  ...['GOOGLE_MAP_KEY', 'password', 'passwd', 'pwd', 'ROOTPASS', 'LICENSEKEY', 'AUTH_PASSWORD'],
]
const OTHERS = [
  ...[
    'MAX_TOKENS',
    'MAX_TOKEN',
    'LLM_MAX_TOKEN',
    'MAXTOKEN',
    'TOKEN_LIMIT',
    'TOKEN_COUNT',
    'TOKENS',
  ],
  ...['KEYBOARD', 'MONKEY', 'TURKEY', 'HOTKEY', 'HOT_KEY', 'KEYWORD', 'KEYSTROKES', 'TOKENIZER'],
  ...['PRIMARY_KEY', 'PRIMARY_KEY_COLUMN', 'SORT_KEY', 'PROJECT_KEY', 'CACHE_KEY', 'KEY_PREFIX'],
  ...['PUBLIC_KEY', 'PUBLICKEY', 'NEXT_PUBLIC_API_KEY', 'PUBLISHABLE_KEY', 'KEY_ID', 'CLIENT_ID'],
  ...['PASSWORDLESS', '--passwordless', 'NO_PASSWORD', '--no-password', 'NOPASSWORD', 'USE_TOKEN'],
  ...['ALLOW_EMPTY_PASSWORD', 'DISABLE_AUTH', 'REQUIRE_AUTH', '--passcode-in-password'],
  ...['AUTH_STRATEGY', 'AUTH_USERNAME', 'AUTH_TYPE', 'TOKEN_URL', 'TOKEN_EXPIRATION', 'TOKEN_PATH'],
  ...[
    'PASSWORD_FILE',
    'PASSWORD_COMMAND',
    'API_KEY_ENV',
    'SECRET_NAME',
    'KEY_VAULT',
    'TOKEN_ADDRESS',
  ],
  ...['pageToken', 'nextPageToken', 'progressToken', 'STOP_TOKEN', 'EOSTOKEN', 'OLDPWD', 'COMPASS'],
  ...['BYPASS', 'PASS_THROUGH', 'PATH', 'PATTERN', 'COMPAT', 'AUTHOR', 'OAUTH', 'SECRETARY', ''],
  ...['GOOGLE_APPLICATION_CREDENTIALS', 'DATABASE_URL', 'NODE_ENV', 'REGION'],
]

describe('A2: names of secrets', () => {
  it.each(SECRETS)('treat %s as the name of a secret', (name) => {
    expect(namesSecret(name)).toBe(true)
  })

  it.each(OTHERS)('treat %j as the name of an ordinary value', (name) => {
    expect(namesSecret(name)).toBe(false)
  })

  it('read a long hostile name in linear time', () => {
    expect(namesSecret('a'.repeat(1_000_000))).toBe(false)
    expect(namesSecret(`${'_'.repeat(1_000_000)}token`)).toBe(false)
  })
})
