// Imitates a published server for screenshots: argv[2] names the server. Names, hints and arguments are plausible; no tool changes
// anything.
import { say, serveTools } from './mcp-server.mjs'

const READ = { readOnlyHint: true }
const WRITE = { readOnlyHint: false, destructiveHint: false }
const DESTROY = { readOnlyHint: false, destructiveHint: true }
const REPO = { owner: 'string', repo: 'string' }
const ISSUE = { ...REPO, issue_number: 'integer' }

const SERVERS = {
  github: {
    version: '0.16.0',
    tools: [
      ['search_issues', READ, 'Searches issues and pull requests.', { query: 'string' }],
      ['list_issues', READ, 'Lists issues of a repository.', REPO],
      ['get_issue', READ, 'Returns one issue with its labels.', ISSUE],
      ['create_issue', WRITE, 'Opens an issue.', { ...REPO, title: 'string', body: 'string' }],
      ['add_issue_comment', WRITE, 'Comments on an issue.', { ...ISSUE, body: 'string' }],
      ['list_pull_requests', READ, 'Lists pull requests of a repository.', REPO],
      ['get_pull_request_diff', READ, 'Returns the diff of a pull request.', ISSUE],
      ['create_pull_request', WRITE, 'Opens a pull request.', { ...REPO, head: 'string' }],
      ['merge_pull_request', DESTROY, 'Merges a pull request.', { ...ISSUE, method: 'string' }],
      ['get_file_contents', READ, 'Returns a file or a folder.', { ...REPO, path: 'string' }],
      ['search_code', READ, 'Searches code across repositories.', { query: 'string' }],
      ['delete_branch', DESTROY, 'Deletes a branch.', { ...REPO, branch: 'string' }],
    ],
  },
  linear: {
    version: '2.3.1',
    tools: [
      ['list_issues', READ, 'Lists issues by team, state, or assignee.', { team: 'string' }],
      ['get_issue', READ, 'Returns an issue with its comments.', { id: 'string' }],
      ['create_issue', WRITE, 'Creates an issue in a team.', { team: 'string', title: 'string' }],
      ['update_issue', WRITE, 'Changes state, assignee, or priority.', { id: 'string' }],
      ['create_comment', WRITE, 'Comments on an issue.', { id: 'string', body: 'string' }],
      ['list_projects', READ, 'Lists projects and their progress.', {}],
      ['list_cycles', READ, 'Lists the cycles of a team.', { team: 'string' }],
      ['list_teams', READ, 'Lists teams.', {}],
      ['list_users', READ, 'Lists members of the workspace.', {}],
    ],
  },
  postgres: {
    version: '0.4.2',
    tools: [
      ['list_schemas', READ, 'Lists schemas of the database.', {}],
      ['list_tables', READ, 'Lists tables with their sizes.', { schema: 'string' }],
      ['describe_table', READ, 'Returns columns, keys, and indexes.', { table: 'string' }],
      ['query', READ, 'Runs a read-only query.', { sql: 'string' }],
      ['explain_query', READ, 'Explains the plan of a query.', { sql: 'string' }],
      ['execute_sql', DESTROY, 'Runs any statement.', { sql: 'string' }],
    ],
  },
  filesystem: {
    version: '2026.8.1',
    tools: [
      ['read_text_file', READ, 'Returns the text of a file.', { path: 'string' }],
      ['list_directory', READ, 'Lists a folder.', { path: 'string' }],
      ['directory_tree', READ, 'Returns a folder as a tree.', { path: 'string' }],
      ['search_files', READ, 'Finds files by name.', { path: 'string', pattern: 'string' }],
      ['get_file_info', READ, 'Returns size and times of a file.', { path: 'string' }],
      ['write_file', DESTROY, 'Writes a file.', { path: 'string', content: 'string' }],
      ['edit_file', DESTROY, 'Replaces lines of a file.', { path: 'string' }],
      ['create_directory', WRITE, 'Creates a folder.', { path: 'string' }],
    ],
  },
}

const name = process.argv[2]
const server = SERVERS[name]
if (!server) throw new Error(`unknown server: ${name}`)

const tools = server.tools.map(([tool, annotations, description, properties]) => ({
  ...{ name: tool, description, annotations },
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, type]) => [key, { type }]),
    ),
  },
}))

serveTools(
  tools.map((tool) => ({ ...tool, call: () => ({ ok: true }) })),
  {
    takesOver: ({ id, method, params }) => {
      if (method === 'tools/list') say({ id, result: { tools } })
      if (method === 'initialize') {
        const serverInfo = { name, version: server.version }
        const { protocolVersion } = params
        say({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } })
        process.stderr.write(`${name} ${server.version} listening on stdio\n`)
      }
      return method === 'tools/list' || method === 'initialize'
    },
  },
)
