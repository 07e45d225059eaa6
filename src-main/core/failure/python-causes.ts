import type { CauseRow } from './cause-row'

const LOG = { kind: 'viewLog' } as const
const NETWORK = { kind: 'network' } as const
const CONFIGURE = { kind: 'configure' } as const

/** What uv, uvx and Python say. */
export const PYTHON_CAUSES: readonly CauseRow[] = [
  {
    causeId: 'pypi-package-gone',
    says: [/Because (\S+) was not found in the package registry/],
    sentence: (name) => `PyPI has no package ${name}.`,
    step: LOG,
  },
  {
    causeId: 'pypi-version-gone',
    says: [/Because there is no version of (\S+?)==(\S+) and you require/],
    sentence: (name, version) => `PyPI has no version ${version} of ${name}.`,
    step: LOG,
  },
  {
    causeId: 'uvx-nothing-to-run',
    says: [/An executable named `([^`]+)` is not provided by package `([^`]+)`/],
    sentence: (program, name) => `The package ${name} has no program ${program}.`,
    step: LOG,
  },
  {
    causeId: 'python-version-missing',
    says: [/No interpreter found for Python (\S+)/],
    sentence: (version) =>
      `There is no Python ${version} on this computer, and uv could not fetch it.`,
    step: { kind: 'setRunner', runner: 'uvx' },
  },
  {
    causeId: 'uv-certificate',
    says: [/invalid peer certificate: \w+/, /CERTIFICATE_VERIFY_FAILED/],
    sentence: () =>
      'The certificate that answered is not trusted, as behind a company proxy with an authority of its own. It is added under Settings, Network.',
    step: NETWORK,
  },
  {
    causeId: 'uv-unreached',
    says: [/^error: Failed to fetch: /],
    // A server that refuses was reached.
    beside:
      /dns error|tcp connect error|[Cc]onnection (?:refused|reset)|timed out|client error \(Connect\)/,
    sentence: () =>
      'uv does not reach PyPI: there is no network, or the proxy under Settings, Network is not the right one.',
    step: NETWORK,
  },
  {
    causeId: 'python-module-missing',
    says: [/^ModuleNotFoundError: No module named '([^']+)'/],
    sentence: (name) => `A part of the server is not installed: the Python module ${name}.`,
    step: LOG,
  },
  {
    causeId: 'python-file-missing',
    says: [
      /can't open file '([^']+)': \[Errno 2\]/,
      /^FileNotFoundError: .{0,100}directory: '([^']+)'/,
    ],
    sentence: (file) => `There is no file ${file}.`,
    step: CONFIGURE,
  },
]
