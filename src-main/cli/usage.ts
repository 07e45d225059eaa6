import type { VetLevel, VetReport } from '../../src-shared/domain/vet/vet-report'

/** Exit code for wrong usage or an unreadable file. */
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

const EXIT_FINDINGS = 1
/** A check couldn't be done, or the user stopped it. */
export const EXIT_INCOMPLETE = 3

/** 0 for a clean report, 1 for findings of this level or higher, 3 if a check of level *must* couldn't be done. */
export function exitCodeOf(
  { checks }: Pick<VetReport, 'checks'>,
  failOn: 'must' | 'should',
): number {
  const levels: readonly VetLevel[] = failOn === 'must' ? ['must'] : ['must', 'should']
  const counted = checks.filter(({ isPending, level }) => !isPending && levels.includes(level))
  if (checks.some(({ level, isMissing }) => level === 'must' && isMissing === true))
    return EXIT_INCOMPLETE
  return counted.some(({ outcome }) => outcome === 'found') ? EXIT_FINDINGS : 0
}
