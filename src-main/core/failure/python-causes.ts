import type { CauseRow } from './cause-row'

const LOG = { kind: 'viewLog' } as const
const NETWORK = { kind: 'network' } as const
const CONFIGURE = { kind: 'configure' } as const

/** Messages of uv, uvx and Python. */
export const PYTHON_CAUSES: readonly CauseRow[] = [
  {
    // Before `pypi-package-gone`: uv reports a package it may not see as not found.
    causeId: 'uv-index-refused',
    patterns: [/^hint: An index.{1,600}\((401) /, /^hint: An index.{1,600} returned a (403) /],
    message: (status) =>
      `The package index or a proxy rejected uv’s request (${status}). Check the password, or ask for access to the package.`,
    step: NETWORK,
  },
  {
    causeId: 'uv-proxy-password',
    patterns: [/\(407 Proxy Authentication Required\)/],
    message: () =>
      'The proxy requires a user name and password. Enter them under Settings > Network.',
    step: NETWORK,
  },
  {
    causeId: 'pypi-package-gone',
    isPermanent: true,
    patterns: [/Because (\S+) was not found in the package registry/],
    message: (name) => `PyPI has no package named ${name}. Check the name.`,
    step: LOG,
  },
  {
    causeId: 'pypi-version-gone',
    isPermanent: true,
    patterns: [/Because there is no version of (\S+?)==(\S+) and you require/],
    message: (name, version) =>
      `PyPI has no version ${version} of ${name}. Choose another version.`,
    step: LOG,
  },
  {
    causeId: 'uvx-program-named-otherwise',
    patterns: [/^Use `uvx --from ([\w.[\],-]{1,200}) ([\w.-]{1,200})` instead\.?$/],
    context: /is not provided by package/,
    isPermanent: true,
    message: (name, program) => `The program in package ${name} is named ${program}.`,
    step: (name, program) => ({ kind: 'addOptions', options: ['--from', name, program] }),
  },
  {
    causeId: 'uvx-nothing-to-run',
    patterns: [/An executable named `([^`]+)` is not provided by package `([^`]+)`/],
    isPermanent: true,
    message: (program, name) =>
      `The package ${name} has no program named ${program}. Check the command.`,
    step: LOG,
  },
  {
    causeId: 'python-dependency-changed',
    patterns: [
      /^AttributeError: '(Server|FastMCP)' object has no attribute '([^']{1,80})'/,
      /^ImportError: cannot import name '([^']{1,80})' from '([A-Za-z_]\w{0,40})/,
    ],
    isPermanent: true,
    message: (what, from) =>
      what === 'Server' || what === 'FastMCP'
        ? `The package doesn’t work with the latest mcp (${from} was removed). Run it with --with "mcp<2", or choose another version.`
        : `The package doesn’t work with the latest ${from} (${what} was removed). Use --with and an older ${from}, or choose another version.`,
    step: (what) =>
      what === 'Server' || what === 'FastMCP'
        ? { kind: 'addOptions', options: ['--with', 'mcp<2'] }
        : CONFIGURE,
  },
  {
    causeId: 'python-version-missing',
    patterns: [
      /No interpreter found for Python (\S+)/,
      /cause: Failed to download `\S{1,300}\/cpython-(\d{1,3}\.\d{1,3}(?:\.\d{1,3})?)/,
    ],
    message: (version) => `Python ${version} isn’t installed, and uv couldn’t download it.`,
    step: { kind: 'setRunner', runner: 'uvx' },
  },
  {
    causeId: 'python-version-unfit',
    patterns: [/current Python version \((\S{1,20})\) does not satisfy Python(\S{1,40})/],
    message: (present, wanted) =>
      `The server needs Python ${wanted}, but uv runs it with ${present}.`,
    step: { kind: 'setRunner', runner: 'uvx' },
  },
  {
    causeId: 'uv-certificate',
    patterns: [/invalid peer certificate: \w+/, /CERTIFICATE_VERIFY_FAILED/],
    message: () =>
      'The server’s certificate isn’t trusted, often because of a company proxy. Add the root certificate under Settings > Network.',
    step: NETWORK,
  },
  {
    causeId: 'uv-unreached',
    patterns: [/^(?:error| {2}cause): Failed to fetch: /],
    // A server that rejects was reached.
    context:
      /dns error|tcp connect error|[Cc]onnection (?:refused|reset)|timed out|client error \(Connect\)/,
    message: () =>
      'uv can’t reach PyPI. Check your network and the proxy under Settings > Network.',
    step: NETWORK,
  },
  {
    causeId: 'python-socks-missing',
    patterns: [/^ImportError: Using SOCKS proxy, but the 'socksio' package is not installed/],
    message: () =>
      'The server can’t use this computer’s SOCKS proxy. Set an HTTP proxy under Settings > Network.',
    step: NETWORK,
  },
  {
    causeId: 'python-module-missing',
    patterns: [/^ModuleNotFoundError: No module named '([^']+)'/],
    message: (name) =>
      `The Python module ${name} is missing. Reinstall the server or its dependencies.`,
    step: LOG,
  },
  {
    causeId: 'python-file-missing',
    patterns: [
      /can't open file '([^']+)': \[Errno 2\]/,
      /^FileNotFoundError: .{0,100}directory: '([^']+)'/,
    ],
    message: (file) => `File not found: ${file}. Check the path.`,
    step: CONFIGURE,
  },
]
