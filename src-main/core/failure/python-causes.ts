import type { CauseRow } from './cause-row'

const LOG = { kind: 'viewLog' } as const
const NETWORK = { kind: 'network' } as const
const CONFIGURE = { kind: 'configure' } as const

/** What uv, uvx and Python say. */
export const PYTHON_CAUSES: readonly CauseRow[] = [
  {
    // Before `pypi-package-gone`: uv says of what it may not see that it was not found.
    causeId: 'uv-index-refused',
    says: [/^hint: An index.{1,600}\((401) /, /^hint: An index.{1,600} returned a (403) /],
    sentence: (status) =>
      `The package index, or a proxy before it, refused to answer uv (${status}): it wants a password, or does not let this package through.`,
    step: NETWORK,
  },
  {
    causeId: 'uv-proxy-password',
    says: [/\(407 Proxy Authentication Required\)/],
    sentence: () =>
      'The proxy asks for a user name and a password. They are set under Settings, Network.',
    step: NETWORK,
  },
  {
    causeId: 'pypi-package-gone',
    isPermanent: true,
    says: [/Because (\S+) was not found in the package registry/],
    sentence: (name) => `PyPI has no package ${name}.`,
    step: LOG,
  },
  {
    causeId: 'pypi-version-gone',
    isPermanent: true,
    says: [/Because there is no version of (\S+?)==(\S+) and you require/],
    sentence: (name, version) => `PyPI has no version ${version} of ${name}.`,
    step: LOG,
  },
  {
    causeId: 'uvx-program-named-otherwise',
    says: [/^Use `uvx --from ([\w.[\],-]{1,200}) ([\w.-]{1,200})` instead\.?$/],
    beside: /is not provided by package/,
    isPermanent: true,
    sentence: (name, program) => `The program of the package ${name} is called ${program}.`,
    step: (name, program) => ({ kind: 'addOptions', options: ['--from', name, program] }),
  },
  {
    causeId: 'uvx-nothing-to-run',
    says: [/An executable named `([^`]+)` is not provided by package `([^`]+)`/],
    isPermanent: true,
    sentence: (program, name) => `The package ${name} has no program ${program}.`,
    step: LOG,
  },
  {
    causeId: 'python-dependency-changed',
    says: [
      /^AttributeError: '(Server|FastMCP)' object has no attribute '([^']{1,80})'/,
      /^ImportError: cannot import name '([^']{1,80})' from '([A-Za-z_]\w{0,40})/,
    ],
    isPermanent: true,
    sentence: (what, from) =>
      what === 'Server' || what === 'FastMCP'
        ? `The package does not work with the newest mcp (${from} is gone). Run it with --with "mcp<2", or choose another version.`
        : `The package does not work with the newest ${from} (${what} is gone). Run it with --with and an older ${from}, or choose another version.`,
    step: (what) =>
      what === 'Server' || what === 'FastMCP'
        ? { kind: 'addOptions', options: ['--with', 'mcp<2'] }
        : CONFIGURE,
  },
  {
    causeId: 'python-version-missing',
    says: [
      /No interpreter found for Python (\S+)/,
      /cause: Failed to download `\S{1,300}\/cpython-(\d{1,3}\.\d{1,3}(?:\.\d{1,3})?)/,
    ],
    sentence: (version) =>
      `There is no Python ${version} on this computer, and uv could not fetch it.`,
    step: { kind: 'setRunner', runner: 'uvx' },
  },
  {
    causeId: 'python-version-unfit',
    says: [/current Python version \((\S{1,20})\) does not satisfy Python(\S{1,40})/],
    sentence: (present, wanted) => `It needs Python ${wanted}, and uv runs it with ${present}.`,
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
    says: [/^(?:error| {2}cause): Failed to fetch: /],
    // A server that refuses was reached.
    beside:
      /dns error|tcp connect error|[Cc]onnection (?:refused|reset)|timed out|client error \(Connect\)/,
    sentence: () =>
      'uv does not reach PyPI: there is no network, or the proxy under Settings, Network is not the right one.',
    step: NETWORK,
  },
  {
    causeId: 'python-socks-missing',
    says: [/^ImportError: Using SOCKS proxy, but the 'socksio' package is not installed/],
    sentence: () =>
      'The server cannot use a SOCKS proxy, which this computer has. One by HTTP is set under Settings, Network.',
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
