/** A published server, with made-up values for its requirements; no account is used. */
export type FieldServer = {
  readonly registryType: 'npm' | 'pypi'
  readonly identifier: string
  readonly version: string
  /** Program arguments. FOLDER is replaced by an empty folder. */
  readonly args?: readonly string[]
  /** Arguments of npx or uvx if the program's name differs from the package's. */
  readonly runtimeArgs?: readonly string[]
  /** Names of secrets, with "=VALUE" if not any text works. */
  readonly secrets?: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
}

type Rest = Omit<FieldServer, 'registryType' | 'identifier'>
const npm = (identifier: string, rest: Rest): FieldServer => ({
  ...{ registryType: 'npm', identifier },
  ...rest,
})
const pypi = (identifier: string, rest: Rest): FieldServer => ({
  ...{ registryType: 'pypi', identifier },
  ...rest,
})

/** Popular published servers from npm and PyPI; the first 14 need no service. */
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
    version: '2025.4.25',
    secrets: ['SLACK_BOT_TOKEN'],
    variables: { SLACK_TEAM_ID: 'T0123456789' },
  }),
  npm('@modelcontextprotocol/server-puppeteer', { version: '2025.5.12' }),
  npm('@modelcontextprotocol/server-postgres', {
    version: '0.6.2',
    args: ['postgresql://127.0.0.1:5999/test'],
  }),
  npm('@brave/brave-search-mcp-server', { version: '2.1.4', secrets: ['BRAVE_API_KEY'] }),
  npm('firecrawl-mcp', { version: '3.26.0', secrets: ['FIRECRAWL_API_KEY'] }),
  npm('tavily-mcp', { version: '0.2.22', secrets: ['TAVILY_API_KEY'] }),
  npm('@sentry/mcp-server', { version: '0.39.0', secrets: ['SENTRY_ACCESS_TOKEN'] }),
  npm('mongodb-mcp-server', { version: '3.0.4', variables: { MDB_MCP_TELEMETRY: 'disabled' } }),
  npm('figma-developer-mcp', { version: '0.13.2', args: ['--stdio'], secrets: ['FIGMA_API_KEY'] }),
  npm('@wonderwhy-er/desktop-commander', { version: '0.2.52' }),
  npm('exa-mcp-server', { version: '3.4.1', secrets: ['EXA_API_KEY'] }),
  npm('n8n-mcp', { version: '2.87.0', variables: { MCP_MODE: 'stdio' } }),
  npm('shadcn', { version: '4.23.1', args: ['mcp'] }),
  npm('mcp-obsidian', { version: '1.0.0', args: ['FOLDER'] }),
  npm('@elastic/mcp-server-elasticsearch', {
    version: '0.3.1',
    secrets: ['ES_API_KEY'],
    variables: { ES_URL: 'http://127.0.0.1:9299' },
  }),
  npm('@openbnb/mcp-server-airbnb', { version: '0.3.0' }),
  npm('@bytebase/dbhub', {
    version: '1.4.0',
    args: ['--transport', 'stdio', '--dsn', 'sqlite:///:memory:'],
  }),
  npm('@kimtaeyoon83/mcp-server-youtube-transcript', { version: '0.1.1' }),
  npm('@cloudflare/mcp-server-cloudflare', {
    version: '0.2.0',
    args: ['run', '0123456789abcdef'],
    secrets: ['CLOUDFLARE_API_TOKEN'],
  }),
  npm('task-master-ai', { version: '0.43.1' }),
  npm('@browsermcp/mcp', { version: '0.1.3' }),
  npm('@zereight/mcp-gitlab', { version: '2.1.64', secrets: ['GITLAB_PERSONAL_ACCESS_TOKEN'] }),
  npm('@supabase/mcp-server-supabase', { version: '0.13.0', secrets: ['SUPABASE_ACCESS_TOKEN'] }),
  npm('@benborla29/mcp-server-mysql', {
    version: '2.0.9',
    secrets: ['MYSQL_PASS'],
    variables: { MYSQL_HOST: '127.0.0.1', MYSQL_PORT: '3399', MYSQL_USER: 'ada', MYSQL_DB: 'test' },
  }),
  npm('@21st-dev/magic', { version: '0.2.3', secrets: ['API_KEY'] }),
  npm('@stripe/mcp', { version: '0.3.3', secrets: ['STRIPE_SECRET_KEY=sk_test_made_up'] }),
  pypi('duckduckgo-mcp-server', { version: '0.7.0' }),
  pypi('awslabs.aws-documentation-mcp-server', { version: '1.2.3' }),
  pypi('arxiv-mcp-server', { version: '0.8.2', args: ['--storage-path', 'FOLDER'] }),
  pypi('mcp-atlassian', {
    version: '0.23.1',
    secrets: ['JIRA_API_TOKEN', 'CONFLUENCE_API_TOKEN'],
    variables: {
      ...{ JIRA_URL: 'http://127.0.0.1:9298', JIRA_USERNAME: 'ada@example.com' },
      ...{ CONFLUENCE_URL: 'http://127.0.0.1:9298', CONFLUENCE_USERNAME: 'ada@example.com' },
    },
  }),
  pypi('excel-mcp-server', { version: '2.2.2', args: ['stdio'] }),
  pypi('office-word-mcp-server', {
    version: '1.1.11',
    runtimeArgs: ['--from', 'office-word-mcp-server', 'word_mcp_server'],
  }),
  pypi('markitdown-mcp', { version: '0.0.1a8' }),
  pypi('serena-agent', {
    version: '2.1.0',
    runtimeArgs: ['--from', 'serena-agent', 'serena'],
    args: ['start-mcp-server', '--enable-web-dashboard', 'false'],
  }),
  pypi('wikipedia-mcp', { version: '2.0.1' }),
  pypi('mcp-neo4j-cypher', {
    version: '0.6.0',
    secrets: ['NEO4J_PASSWORD'],
    variables: { NEO4J_URI: 'bolt://127.0.0.1:7699', NEO4J_USERNAME: 'neo4j' },
  }),
  pypi('redis-mcp-server', { version: '0.5.1', args: ['--url', 'redis://127.0.0.1:6399/0'] }),
  pypi('mcp-grafana', {
    version: '2.1.1',
    secrets: ['GRAFANA_SERVICE_ACCOUNT_TOKEN'],
    variables: { GRAFANA_URL: 'http://127.0.0.1:3999' },
  }),
  pypi('ha-mcp', {
    version: '8.7.0',
    secrets: ['HOMEASSISTANT_TOKEN'],
    variables: { HOMEASSISTANT_URL: 'http://127.0.0.1:8199' },
  }),
  pypi('blender-mcp', { version: '2.0.0' }),
  pypi('basic-memory', { version: '0.24.1', args: ['mcp'] }),
  pypi('elevenlabs-mcp', { version: '0.12.2', secrets: ['ELEVENLABS_API_KEY'] }),
  pypi('mcp-obsidian', { version: '0.2.3', secrets: ['OBSIDIAN_API_KEY'] }),
  pypi('mysql-mcp-server', {
    version: '0.4.4',
    runtimeArgs: ['--from', 'mysql-mcp-server', 'mysql_mcp_server'],
    secrets: ['MYSQL_PASSWORD'],
    variables: {
      ...{ MYSQL_HOST: '127.0.0.1', MYSQL_PORT: '3399', MYSQL_USER: 'ada' },
      MYSQL_DATABASE: 'test',
    },
  }),
  pypi('postgres-mcp', { version: '0.1.0', args: ['postgresql://127.0.0.1:5999/test'] }),
  pypi('chroma-mcp', { version: '0.2.6' }),
  pypi('mcp-server-qdrant', {
    version: '0.8.1',
    variables: { QDRANT_URL: 'http://127.0.0.1:6399', COLLECTION_NAME: 'test' },
  }),
  pypi('awslabs.aws-api-mcp-server', { version: '1.5.6', variables: { AWS_REGION: 'us-east-1' } }),
]
