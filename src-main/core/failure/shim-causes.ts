import type { CauseRow } from './cause-row'

const LOG = { kind: 'viewLog' } as const
const TOOL_VERSION = /^\s*([a-z][\w-]{0,40}) (\d[\w.+-]{0,40})\s*$/u
const LISTED_VERSION = /^\s{1,8}(\d[\w.+-]{0,40})\s*$/u

/** The last line that matches: version managers list the newest version last. */
function lastMatch(lines: readonly string[], pattern: RegExp): RegExpExecArray | undefined {
  const line = lines.findLast((text) => pattern.test(text))
  return line === undefined ? undefined : (pattern.exec(line) ?? undefined)
}

function runOnce(manager: string, command: string): string {
  return `${manager} has no version chosen for this program. Run “${command}” in a terminal, then start again.`
}

/** What the shims of version managers say where no version is chosen. */
export const SHIM_CAUSES: readonly CauseRow[] = [
  {
    causeId: 'asdf-version-missing',
    isPermanent: true,
    says: [/^No (?:preset )?version (?:is set|installed) for command (\S{1,60})/],
    more: (lines) => lastMatch(lines, TOOL_VERSION)?.slice(1, 3).join(' '),
    sentence: (program, found) =>
      found === ''
        ? `asdf has no version chosen for ${program}. Run “asdf set --home” with its tool and a version in a terminal, then start again.`
        : runOnce('asdf', `asdf set --home ${found}`),
    step: LOG,
  },
  {
    causeId: 'mise-version-missing',
    isPermanent: true,
    says: [/^(?:mise|rtx) ERROR No version is set for shim: (\S{1,60})/],
    more: (lines) => lastMatch(lines, /^\s*((?:mise|rtx) use -g \S{1,80})\s*$/u)?.[1],
    sentence: (program, found) => runOnce('mise', found === '' ? `mise use -g ${program}` : found),
    step: LOG,
  },
  {
    causeId: 'volta-version-missing',
    isPermanent: true,
    says: [
      /^Volta error: (Node|npm|Yarn|pnpm) is not available/,
      /using `volta install (\S{1,40})`/,
    ],
    sentence: (tool) => runOnce('Volta', `volta install ${tool.toLowerCase()}`),
    step: LOG,
  },
  {
    causeId: 'env-version-missing',
    isPermanent: true,
    says: [/^(pyenv|nodenv|rbenv|goenv): \S{1,60}: command not found/],
    more: (lines) => lastMatch(lines, LISTED_VERSION)?.[1],
    sentence: (manager, version) =>
      runOnce(manager, `${manager} global ${version === '' ? 'VERSION' : version}`),
    step: LOG,
  },
  {
    causeId: 'env-version-not-installed',
    isPermanent: true,
    says: [
      /^(pyenv|nodenv|rbenv|goenv): version [`'\u2018]([^'\u2019]{1,40})['\u2019] is not installed/,
    ],
    sentence: (manager, version) =>
      `${manager} has no version ${version} installed. Run “${manager} install ${version}” in a terminal, then start again.`,
    step: LOG,
  },
]
