import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { ShellKind, ShellText } from '../../../../src-shared/domain/installation/command-text'
import type { CustomServer } from '../../../../src-shared/domain/installation/custom-server'
import type { EarlierVersionRef } from '../../../../src-shared/domain/installation/earlier-version'
import type {
  ArgumentOrigin,
  LaunchPreview,
} from '../../../../src-shared/domain/installation/launch-plan'
import { toServerJson } from '../../../../src-shared/form/custom-server'
import { call } from '../../../ipc/call'
import { madeOf } from '../values/hand-parts'
import type { CheckedDraft, CommandQuestion } from '../values/install-values'
import type { CustomServerSubject, EntrySubject, InstallSubject } from './install-subject'

type Kinds = readonly ArgumentOrigin['kind'][]

const FIXED: Kinds = ['runner', 'package', 'fixed']
const DEFAULTS: Kinds = ['default']

/** What a command holds from these sources, each item as one text. */
function partsOf(preview: LaunchPreview, kinds: Kinds): string[] {
  const [parts, pairs] =
    preview.kind === 'command' ? [preview.args, preview.env] : [[preview.url], preview.headers]
  return [
    ...parts.map(({ text, origin }) => ({ text, origin })),
    ...pairs.map(({ name, text, origin }) => ({ text: `${name}=${text}`, origin })),
  ]
    .filter(({ origin }) => kinds.includes(origin.kind))
    .map(({ text, origin: { kind, fieldKey } }) => JSON.stringify([kind, fieldKey, text]))
}

function frameOf(preview: LaunchPreview): string {
  const fixed = partsOf(preview, FIXED)
  if (preview.kind === 'remote') return JSON.stringify([preview.type, fixed])
  const { command, cwd, packageName, packageVersion } = preview
  return JSON.stringify([command, cwd, packageName, packageVersion, fixed])
}

/**
 * Whether a command holds anything that the user neither typed nor saw: then it has to be read before
 * it can be approved. `shown` is the command on screen; what was typed since is known to who typed it.
 */
export function isUnseen(shown: LaunchPreview | null, fresh: LaunchPreview): boolean {
  if (shown === null) return true
  if (shown.planHash === fresh.planHash) return false
  const seen = new Set(partsOf(shown, DEFAULTS))
  return (
    frameOf(shown) !== frameOf(fresh) || partsOf(fresh, DEFAULTS).some((part) => !seen.has(part))
  )
}

/** What was saved. */
export type SentDraft = {
  readonly installationId: string
  /** Set for an update: the version that it is now, and what is kept of the one before. */
  readonly updated?: { readonly version: string; readonly left: EarlierVersionRef | null }
}

/** How the draft of a form is previewed, copied and sent, and where what is said of it stands. */
export type Channel = {
  /** Null while the draft makes nothing that could run. */
  readonly preview: (question: CommandQuestion) => Promise<LaunchPreview | null>
  readonly write: (question: CommandQuestion, shell: ShellKind) => Promise<ShellText>
  /** Saves a checked draft, and starts it where its plan was approved. */
  readonly send: (draft: CheckedDraft, approvedPlan: string | undefined) => Promise<SentDraft>
  /** Why a preview has to be read before it is approved; null when the user knows what it holds. */
  readonly notificationsIn: (
    seen: LaunchPreview | null,
    fresh: LaunchPreview,
  ) => AppErrorShape | null
  /** The place of a field in the previews of this form. */
  readonly spotOf: (fieldKey: string) => string | undefined
}

const CHANGED: AppErrorShape = {
  code: 'CONSENT_REQUIRED',
  message: 'The command changed since it was shown.',
  hint: 'Review the current command, then approve it.',
}

const WARNED: AppErrorShape = {
  code: 'CONSENT_REQUIRED',
  message: 'Review the new warnings before you approve.',
  hint: 'The warnings are shown next to the form.',
}

/** The channel that fits what is filled in. */
export function channelOf(subject: InstallSubject): Channel {
  return 'parts' in subject ? handChannel(subject) : entryChannel(subject)
}

function entryChannel({ of, server, installationId, revision }: EntrySubject): Channel {
  return {
    preview: (question) => call('launch.preview', { of, ...question }),
    write: (question, shell) => call('launch.shellText', { of, ...question, shell }),
    send: async (draft, approvedPlan) => {
      const sent = { ...draft, approvedPlan, start: approvedPlan !== undefined }
      if ('entryId' in of && 'installationId' in of) {
        const { earlier: left } = await call('update.apply', { ...of, ...sent, revision })
        const { version } = server
        return { installationId: of.installationId, updated: { version, left } }
      }
      if ('entryId' in of) return call('installation.create', { ...of, ...sent })
      const id = installationId ?? of.installationId
      await call('installation.update', { installationId: id, ...sent, revision })
      return { installationId: id }
    },
    notificationsIn: (seen, fresh) => (isUnseen(seen, fresh) ? CHANGED : null),
    spotOf: (fieldKey) => fieldKey,
  }
}

function handChannel({ installationId, revision, parts }: CustomServerSubject): Channel {
  const asked = ({ made = NOTHING, cwd }: CommandQuestion) => ({ installationId, made, cwd })
  return {
    preview: async (question) => (await call('byHand.preview', asked(question))).preview,
    write: (question, shell) => call('byHand.shellText', { ...asked(question), shell }),
    send: (draft, approvedPlan) => {
      const { name, budgets, protocol } = draft
      const start = approvedPlan !== undefined
      const sent = { ...asked(draft), name, budgets, protocol, revision, approvedPlan, start }
      return call('byHand.save', sent)
    },
    // The user typed the command, so that only a warning that was not on screen is new to them.
    notificationsIn: (seen, { warnings }) =>
      warnings.every((warning) => seen?.warnings.includes(warning)) ? null : WARNED,
    spotOf: (fieldKey) =>
      fieldKey === 'url' ? 'url' : toServerJson(madeOf(parts)).spots.get(fieldKey),
  }
}

/** A draft manually always holds its parts; without them main says what is missing. */
const NOTHING: CustomServer = { kind: 'command', command: '', args: [], env: [] }
