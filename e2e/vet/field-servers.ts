/** A published server, with made-up values for what it requires: no account is used. */
export type FieldServer = {
  readonly registryType: 'npm' | 'pypi'
  readonly identifier: string
  readonly version?: string
  /** Arguments of the program. FOLDER stands for an empty folder. */
  readonly args?: readonly string[]
  /** Arguments of npx or uvx, where the program is named in another way than its package. */
  readonly runtimeArgs?: readonly string[]
  /** Names of secrets; a value behind "=" where any text won't do. */
  readonly secrets?: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
}

const npm = (identifier: string, rest: Partial<FieldServer> = {}): FieldServer => ({
  registryType: 'npm',
  identifier,
  ...rest,
})
const pypi = (identifier: string, rest: Partial<FieldServer> = {}): FieldServer => ({
  registryType: 'pypi',
  identifier,
  ...rest,
})

/** Published servers that many people use, from npm and PyPI. */
export const FIELD_SERVERS: readonly FieldServer[] = [
  npm('@modelcontextprotocol/server-filesystem', { version: '2026.8.31', args: ['FOLDER'] }),
  npm('@modelcontextprotocol/server-memory', { version: '2026.8.31' }),
  npm('@modelcontextprotocol/server-everything', { version: '2026.8.31' }),
  npm('@modelcontextprotocol/server-sequential-thinking', { version: '2026.8.31' }),
  npm('@modelcontextprotocol/server-github', {
    version: '2025.4.8',
    secrets: ['GITHUB_PERSONAL_ACCESS_TOKEN'],
  }),
  npm('@playwright/mcp', { version: '0.0.83' }),
  npm('@upstash/context7-mcp', { version: '4.1.1' }),
  npm('@notionhq/notion-mcp-server', { version: '2.5.2', secrets: ['NOTION_TOKEN'] }),
  npm('mcp-server-kubernetes', { version: '4.1.7' }),
  npm('chrome-devtools-mcp', { version: '1.11.0' }),
  pypi('mcp-server-fetch', { version: '2026.10.24' }),
  pypi('mcp-server-git', { version: '2026.10.19' }),
  pypi('mcp-server-time', { version: '2026.10.19' }),
  pypi('mcp-server-sqlite', { version: '2025.4.25', args: ['--db-path', 'FOLDER/test.db'] }),
  npm('@modelcontextprotocol/server-slack', {
    secrets: ['SLACK_BOT_TOKEN'],
    variables: { SLACK_TEAM_ID: 'T0123456789' },
  }),
  npm('@modelcontextprotocol/server-puppeteer'),
  npm('@modelcontextprotocol/server-postgres', { args: ['postgresql://127.0.0.1:5999/test'] }),
  npm('@brave/brave-search-mcp-server', { secrets: ['BRAVE_API_KEY'] }),
  npm('firecrawl-mcp', { secrets: ['FIRECRAWL_API_KEY'] }),
  npm('tavily-mcp', { secrets: ['TAVILY_API_KEY'] }),
  npm('@sentry/mcp-server', { secrets: ['SENTRY_ACCESS_TOKEN'] }),
  npm('mongodb-mcp-server', { variables: { MDB_MCP_TELEMETRY: 'disabled' } }),
  npm('figma-developer-mcp', { args: ['--stdio'], secrets: ['FIGMA_API_KEY'] }),
  npm('@wonderwhy-er/desktop-commander'),
  npm('exa-mcp-server', { secrets: ['EXA_API_KEY'] }),
  npm('n8n-mcp', { variables: { MCP_MODE: 'stdio' } }),
  npm('shadcn', { args: ['mcp'] }),
  npm('mcp-obsidian', { args: ['FOLDER'] }),
  npm('@elastic/mcp-server-elasticsearch', {
    secrets: ['ES_API_KEY'],
    variables: { ES_URL: 'http://127.0.0.1:9299' },
  }),
  npm('@openbnb/mcp-server-airbnb'),
  npm('@bytebase/dbhub', { args: ['--transport', 'stdio', '--dsn', 'sqlite:///:memory:'] }),
  npm('@kimtaeyoon83/mcp-server-youtube-transcript'),
  npm('@cloudflare/mcp-server-cloudflare', {
    args: ['run', '0123456789abcdef'],
    secrets: ['CLOUDFLARE_API_TOKEN'],
  }),
  npm('task-master-ai'),
  npm('@browsermcp/mcp'),
  npm('@zereight/mcp-gitlab', { secrets: ['GITLAB_PERSONAL_ACCESS_TOKEN'] }),
  npm('@supabase/mcp-server-supabase', { secrets: ['SUPABASE_ACCESS_TOKEN'] }),
  npm('@benborla29/mcp-server-mysql', {
    secrets: ['MYSQL_PASS'],
    variables: { MYSQL_HOST: '127.0.0.1', MYSQL_PORT: '3399', MYSQL_USER: 'ada', MYSQL_DB: 'test' },
  }),
  npm('@21st-dev/magic', { secrets: ['API_KEY'] }),
  npm('@stripe/mcp', { secrets: ['STRIPE_SECRET_KEY=sk_test_made_up'] }),
  pypi('duckduckgo-mcp-server'),
  pypi('awslabs.aws-documentation-mcp-server'),
  pypi('arxiv-mcp-server', { args: ['--storage-path', 'FOLDER'] }),
  pypi('mcp-atlassian', {
    secrets: ['JIRA_API_TOKEN', 'CONFLUENCE_API_TOKEN'],
    variables: {
      ...{ JIRA_URL: 'http://127.0.0.1:9298', JIRA_USERNAME: 'ada@example.com' },
      ...{ CONFLUENCE_URL: 'http://127.0.0.1:9298', CONFLUENCE_USERNAME: 'ada@example.com' },
    },
  }),
  pypi('excel-mcp-server', { args: ['stdio'] }),
  pypi('office-word-mcp-server', {
    runtimeArgs: ['--from', 'office-word-mcp-server', 'word_mcp_server'],
  }),
  pypi('markitdown-mcp'),
  pypi('serena-agent', {
    runtimeArgs: ['--from', 'serena-agent', 'serena'],
    args: ['start-mcp-server', '--enable-web-dashboard', 'false'],
  }),
  pypi('wikipedia-mcp'),
  pypi('mcp-neo4j-cypher', {
    secrets: ['NEO4J_PASSWORD'],
    variables: { NEO4J_URI: 'bolt://127.0.0.1:7699', NEO4J_USERNAME: 'neo4j' },
  }),
  pypi('redis-mcp-server', { args: ['--url', 'redis://127.0.0.1:6399/0'] }),
  pypi('mcp-grafana', {
    secrets: ['GRAFANA_SERVICE_ACCOUNT_TOKEN'],
    variables: { GRAFANA_URL: 'http://127.0.0.1:3999' },
  }),
  pypi('ha-mcp', {
    secrets: ['HOMEASSISTANT_TOKEN'],
    variables: { HOMEASSISTANT_URL: 'http://127.0.0.1:8199' },
  }),
  pypi('blender-mcp'),
  pypi('basic-memory', { args: ['mcp'] }),
  pypi('elevenlabs-mcp', { secrets: ['ELEVENLABS_API_KEY'] }),
  pypi('mcp-obsidian', { secrets: ['OBSIDIAN_API_KEY'] }),
  pypi('mysql-mcp-server', {
    runtimeArgs: ['--from', 'mysql-mcp-server', 'mysql_mcp_server'],
    secrets: ['MYSQL_PASSWORD'],
    variables: {
      ...{ MYSQL_HOST: '127.0.0.1', MYSQL_PORT: '3399', MYSQL_USER: 'ada' },
      MYSQL_DATABASE: 'test',
    },
  }),
  pypi('postgres-mcp', { args: ['postgresql://127.0.0.1:5999/test'] }),
  pypi('chroma-mcp'),
  pypi('mcp-server-qdrant', {
    variables: { QDRANT_URL: 'http://127.0.0.1:6399', COLLECTION_NAME: 'test' },
  }),
  pypi('awslabs.aws-api-mcp-server', { variables: { AWS_REGION: 'us-east-1' } }),
]
