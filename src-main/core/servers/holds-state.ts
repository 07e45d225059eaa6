import type { Tool } from '../../../src-shared/domain/agents/capability'

/** In the names of entries, packages and addresses: what drives a browser, a shell, a notebook or a debugger. */
const NAMES =
  /browser|playwright|puppeteer|selenium|webdriver|devtools|chrome|stagehand|shell|terminal|tmux|iterm|commander|jupyter|notebook|ipython|repl\b|interpreter|debugger|\bdap\b|\bssh\b/u
/** Tools of such servers, whatever they are called. */
const TOOLS =
  /^(?:browser_|puppeteer_|playwright_|navigate(?:_page)?$|new_page$|start_process$|create_terminal|execute_cell|run_cell|write_to_terminal)/u

/** Whether a server is known to hold state from call to call that apps should not share: by its names, or by its tools. */
export function holdsState(names: readonly string[], tools: readonly Tool[]): boolean {
  if (names.some((name) => NAMES.test(name.toLowerCase()))) return true
  return TOOLS_HOLDING.get(tools) ?? remember(tools)
}

/** By the list: one server is looked at often. */
const TOOLS_HOLDING = new WeakMap<readonly Tool[], boolean>()

function remember(tools: readonly Tool[]): boolean {
  const holds = tools.some(({ name }) => TOOLS.test(name))
  TOOLS_HOLDING.set(tools, holds)
  return holds
}
