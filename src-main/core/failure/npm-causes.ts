import type { CauseRow } from './cause-row'

const LOG = { kind: 'viewLog' } as const
const NETWORK = { kind: 'network' } as const
const NPX = { kind: 'setRunner', runner: 'npx' } as const

/** What npm and npx say before the server's own program runs. */
export const NPM_CAUSES: readonly CauseRow[] = [
  {
    causeId: 'npm-package-gone',
    isPermanent: true,
    says: [
      /^npm (?:error|ERR!) 404 {1,3}(?:The requested resource )?'([^']+?)(?:@[^'@]*)?' (?:could not be found|is not in)/,
    ],
    sentence: (name) => `npm has no package ${name}, or keeps it private.`,
    step: LOG,
  },
  {
    causeId: 'npm-version-gone',
    isPermanent: true,
    says: [/^npm (?:error|ERR!) notarget No matching version found for (\S+?)\.?$/],
    sentence: (name) => `npm has no ${name}: that version was never published or is gone.`,
    step: LOG,
  },
  {
    causeId: 'npm-nothing-to-run',
    isPermanent: true,
    says: [/^npm (?:error|ERR!) could not determine executable to run/],
    sentence: () => 'The package has no program that could be run.',
    step: LOG,
  },
  {
    causeId: 'node-too-old-for-package',
    says: [
      /^npm (?:error|ERR!) (?:engine|notsup) Not compatible with your version of node\/npm: (\S+)/,
    ],
    sentence: (name) => `${name} does not run with this version of Node.`,
    step: NPX,
  },
  {
    causeId: 'npm-cache-not-writable',
    says: [/^npm (?:error|ERR!) code (?:EACCES|EPERM)$/],
    sentence: () => 'npm may not write to its own folder.',
    step: LOG,
  },
  {
    causeId: 'npm-disk-full',
    says: [/^npm (?:error|ERR!) code ENOSPC$/],
    sentence: () => 'The disk is full: npm could not save the package.',
    step: LOG,
  },
  {
    causeId: 'npm-proxy-password',
    says: [
      /^npm (?:error|ERR!) code E407$/,
      /^npm (?:error|ERR!) 407 Proxy Authentication Required\b/,
    ],
    sentence: () =>
      'The proxy asks npm for a password. Its name and password are set under Settings, Network.',
    step: NETWORK,
  },
  {
    causeId: 'npm-certificate',
    says: [
      /^npm (?:error|ERR!) code (?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)$/,
    ],
    sentence: () =>
      'npm does not trust the certificate that answered it, as behind a company proxy with an authority of its own. It is added under Settings, Network.',
    step: NETWORK,
  },
  {
    causeId: 'npm-unreached',
    says: [
      /^npm (?:error|ERR!) code (?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT)$/,
    ],
    sentence: () =>
      'npm does not reach its registry: there is no network, or the proxy under Settings, Network is not the right one.',
    step: NETWORK,
  },
]
