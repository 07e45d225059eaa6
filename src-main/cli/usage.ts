/** Exit code for wrong usage, or a file that can't be read. */
export const EXIT_USAGE = 2

/** The text of `patchbay --help`. */
export const USAGE = `Usage: patchbay bridge --agent ID [--profile FOLDER] [--start]
       patchbay [serve] [--port N] [--no-open] [--profile FOLDER]
       patchbay plan FILE
       patchbay catalog check FILE
       patchbay vet SERVER [OPTION …]
       patchbay vet [OPTION …] -- COMMAND [ARGUMENT …]
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
  vet            starts a server, checks it, and prints its report. SERVER is a server.json, a bundle, a registry
                 name, an installed server, or an address
    --yes        agree to the command that is printed
    --values     a JSON file with values: {"environmentVariables": {…}, "packageArguments": […]}
    --json       write the report as JSON to a file; --markdown as Markdown
    --fail-on    must (default) or should: findings that lead to exit code 1
    --call-read-only  also call read-only tools, with invalid arguments
    --advisories ask the package registry for known vulnerabilities
    --timeout    seconds for one check (default: 20)

Exit codes: 0 done, 1 failed or findings, 2 wrong usage, no consent, or an unreadable file, 3 not all could be checked.
`
