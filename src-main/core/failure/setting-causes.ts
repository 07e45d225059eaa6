import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'
import type { CauseRow } from './cause-row'

const CONFIGURE = { kind: 'configure' } as const
/** What a server says where it goes on without. */
const GOES_ON = String.raw`(?!.{0,200}\b(?:using|defaults?|falling back|fallback|optional|anonymous(?:ly)?|skipp(?:ed|ing)|ignor(?:ed|ing)|disabled|without)\b)`
/** At least two words, as no other word of a sentence looks. */
const VARIABLE = String.raw`\b([A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,8})\b`

function fillIn(variable: string): FailureCause['step'] {
  return { kind: 'configure', variable }
}

function pickPort(address: string): FailureCause['step'] {
  const taken = Number(/:(\d{1,5})$/.exec(address)?.[1])
  return taken > 0 && taken < 65_536 ? { kind: 'pickPort', taken } : { kind: 'pickPort' }
}

/** What servers say of what they were started with, whatever they are written in. */
export const SETTING_CAUSES: readonly CauseRow[] = [
  {
    causeId: 'variable-missing',
    says: [
      new RegExp(
        String.raw`${VARIABLE} (?:environment variable )?(?:is required|must be set|(?:is not set|is missing)${GOES_ON})`,
      ),
      new RegExp(
        String.raw`(?:[Pp]lease set|[Mm]issing)(?: the)?(?: required)?(?: environment variable)?:? ${VARIABLE}`,
      ),
    ],
    sentence: (name) => `It needs a value for ${name}.`,
    step: fillIn,
  },
  {
    causeId: 'argument-missing',
    says: [
      /error: the following arguments are required: (.{1,200})/,
      /^error: missing required argument '([^']+)'/,
      /^Please provide (.{1,100}) as a command-line argument/,
    ],
    sentence: (name) => `It was started without something that it needs: ${name}.`,
    step: CONFIGURE,
  },
  {
    causeId: 'argument-unknown',
    says: [/error: unrecognized arguments: (.{1,200})/, /^error: unknown option '([^']+)'/],
    sentence: (name) => `It does not know this argument: ${name}.`,
    step: CONFIGURE,
  },
  {
    causeId: 'key-refused',
    says: [/\b(?:HTTP Error 401|401 Unauthorized|status code 401)\b/],
    sentence: () => 'A service that it uses refused its key (401).',
    step: CONFIGURE,
  },
  {
    causeId: 'port-taken',
    says: [
      /EADDRINUSE: address already in use (\S+)/,
      /^OSError: \[Errno (?:48|98)\] .{0,80}[Aa]ddress already in use/,
    ],
    sentence: (address) => `Another program already uses ${address === '' ? 'its port' : address}.`,
    step: pickPort,
  },
  {
    causeId: 'not-permitted',
    says: [
      /EACCES: permission denied, \w+ '([^']+)'/,
      /PermissionError: .{0,100}denied: '([^']+)'/,
    ],
    sentence: (file) => `It may not read or write ${file}.`,
    step: CONFIGURE,
  },
  {
    causeId: 'disk-full',
    says: [/ENOSPC: no space left on device/, /No space left on device/],
    sentence: () => 'The disk is full.',
    step: { kind: 'viewLog' },
  },
  {
    causeId: 'file-missing',
    // Most servers look for a `.env` that need not be there.
    says: [/ENOENT: no such file or directory, \w+ '(?!(?:[^']{0,400}[/\\])?\.env')([^']+)'/],
    sentence: (file) => `There is no file or folder ${file}.`,
    step: CONFIGURE,
  },
  {
    causeId: 'service-unreached',
    says: [/connect ECONNREFUSED (\S+)/],
    sentence: (address) => `Nothing answers at ${address}, which it needs.`,
    step: CONFIGURE,
  },
  {
    causeId: 'service-certificate',
    says: [
      /\b(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)\b/,
      /self-signed certificate/,
    ],
    sentence: () =>
      'It does not trust the certificate of a service that it uses. A company’s own authority is added under Settings, Network.',
    step: { kind: 'network' },
  },
]
