/** Exit code for wrong usage, or a file that can't be read. */
export const EXIT_USAGE = 2

/** The text of `patchbay --help`. */
export const USAGE = `Usage: patchbay bridge --agent ID [--profile FOLDER] [--start]
       patchbay [serve] [--port N] [--no-open] [--profile FOLDER]
       patchbay plan FILE
       patchbay catalog check FILE
       patchbay --help | --version

  bridge         connects an agent that supports only stdio to Patchbay’s gateway
    --agent      the agent's id; its key comes from the keychain, PATCHBAY_AGENT_KEY, or the
                 encrypted file that PATCHBAY_PASSPHRASE opens
    --start      start Patchbay without a window if it is not running
  serve          the default: opens Patchbay in the browser, on 127.0.0.1 only; prints a link that works once
    --port       the port to listen on (default: a free port)
    --no-open    print the link without opening a browser
    --profile    the folder with the settings
  plan           prints the launch plan of {package | remote, values}, or of a list of them, as JSON
  catalog check  checks registry entries or one server.json, and prints the problems as JSON

Exit codes: 0 done, 1 failed, 2 wrong usage or an unreadable file.
`
