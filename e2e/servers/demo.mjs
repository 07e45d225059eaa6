// A stand-in for a well-known server, for pictures: argv[2] names the set of tools. The names are those of the published
// servers; no tool does anything.
import { serveTools } from './mcp-server.mjs'

const TOOLS = {
  github: [
    ...['create_issue', 'list_issues', 'get_issue', 'update_issue', 'add_issue_comment'],
    ...['search_issues', 'search_repositories', 'search_code', 'search_users', 'list_commits'],
    ...['get_file_contents', 'create_or_update_file', 'push_files', 'create_branch'],
    ...['create_pull_request', 'list_pull_requests', 'get_pull_request', 'merge_pull_request'],
    ...['get_pull_request_files', 'get_pull_request_status', 'create_pull_request_review'],
  ],
  linear: [
    ...['list_issues', 'get_issue', 'create_issue', 'update_issue', 'list_projects'],
    ...['list_teams', 'list_users', 'list_cycles', 'create_comment', 'list_comments'],
  ],
  postgres: ['query', 'list_schemas', 'list_tables', 'explain_query', 'analyze_health'],
  filesystem: [
    ...['read_text_file', 'read_media_file', 'read_multiple_files', 'write_file', 'edit_file'],
    ...['create_directory', 'list_directory', 'directory_tree', 'move_file', 'search_files'],
    ...['get_file_info', 'list_allowed_directories'],
  ],
  playwright: [
    ...['browser_navigate', 'browser_click', 'browser_type', 'browser_snapshot'],
    ...['browser_take_screenshot', 'browser_wait_for', 'browser_close', 'browser_tabs'],
  ],
  fetch: ['fetch'],
}

const names = TOOLS[process.argv[2]]
if (!names) throw new Error(`unknown set: ${process.argv[2]}`)
serveTools(
  names.map((name) => ({ name, description: name.replaceAll('_', ' '), call: () => 'ok' })),
)
