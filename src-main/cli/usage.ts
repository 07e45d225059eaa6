/** Exit code for wrong usage, or a file that can't be read. */
export const EXIT_USAGE = 2

/** The text of `patchbay --help`. */
export const USAGE = `Usage: patchbay bridge --agent ID [--profile FOLDER] [--start]
       patchbay [serve] [--port N] [--no-open] [--profile FOLDER]
       patchbay plan FILE
       patchbay catalog check FILE
       patchbay --help | --version

  bridge         is an MCP server on stdin and stdout for an agent that speaks only that: all that Patchbay offers it
    --agent      the agent's id; its key comes from the keychain, or from PATCHBAY_AGENT_KEY
    --start      start Patchbay without a window where it is not running
  serve          the default: opens Patchbay in the browser, on 127.0.0.1 only; prints a link that works once
    --port       the port to listen on (a free one is taken without it)
    --no-open    print the link, open no browser
    --profile    the folder that holds the settings
  plan           prints what {package | remote, values} becomes, or each of a list of them, as JSON
  catalog check  prints what is wrong with the entries of a registry, or with one server.json, as JSON

Exit codes: 0 done, 1 failed, 2 wrong usage or an unreadable file.
`
