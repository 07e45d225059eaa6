import { AppError } from '../../../../src-shared/domain/app-error'
import type { ShellKind, ShellText } from '../../../../src-shared/domain/installation/command-text'
import {
  type CustomServer,
  openText,
} from '../../../../src-shared/domain/installation/custom-server'
import type { EarlierVersionRef } from '../../../../src-shared/domain/installation/earlier-version'
import type { OpenedInstallation } from '../../../../src-shared/domain/installation/installation'
import type {
  ArgumentOrigin,
  LaunchPreview,
} from '../../../../src-shared/domain/installation/launch-plan'
import { chosenPlaces } from '../../../../src-shared/domain/installation/secret-place'
import { findOffer, type Offer } from '../../../../src-shared/domain/server-json/offer'
import type { ServerJson } from '../../../../src-shared/domain/server-json/server-json'
import { toServerJson } from '../../../../src-shared/form/custom-server'
import { segmentsOf } from '../../../../src-shared/form/custom-server-parts'
import type { RequestInput } from '../../../../src-shared/ipc/contract'
import { call } from '../../../ipc/call'
import {
  type CustomServerFieldParts,
  customServerOf,
  editedParts,
} from '../values/custom-server-controls'
import type { CheckedDraft, CommandInput } from '../values/install-values'

/** Initial values of every form; an installation also has its id, approved plan and revision. */
type InitialValues = Pick<
  OpenedInstallation,
  'name' | 'values' | 'secrets' | 'budgets' | 'protocol'
> &
  Partial<Pick<OpenedInstallation, 'installationId' | 'approvedPlan' | 'revision'>> & {
    /** Empty for the home folder. */
    readonly cwd: string
  }

/** A new copy of a catalog entry, an installation with its saved secrets, or an installation in another version. */
export type EntrySubject = InitialValues & {
  readonly of: RequestInput<'launch.preview'>['of']
  readonly server: ServerJson
  readonly offer: Offer
}

/** A custom server, whose form holds parts instead of fields. */
export type CustomServerSubject = InitialValues & { readonly parts: CustomServerFieldParts }

/** The server that the form configures. */
export type InstallSubject = EntrySubject | CustomServerSubject

/**
 * Returns a new custom server. `like` is a server whose parts it copies, without that server's own secrets; `url` is the address of an HTTP
 * server.
 */
export function newCustomServer(
  name: string,
  like?: OpenedInstallation,
  url?: string,
): CustomServerSubject {
  const { budgets = {}, protocol, cwd = '' } = like ?? {}
  const made =
    like?.source === 'hand'
      ? segmentsOf(like.server, like.offer, chosenPlaces(like.secrets))
      : undefined
  const parts = editedParts(made)
  const isRemote = url !== undefined && isWebAddress(url)
  return {
    ...{ name, values: {}, secrets: {}, budgets, protocol, cwd },
    parts: isRemote ? { ...parts, kind: 'address', url: openText(url) } : parts,
  }
}

/** Returns the subject of an installation; undefined if its package or address no longer exists. */
export function subjectOf(installation: OpenedInstallation): InstallSubject | undefined {
  const { installationId, approvedPlan, revision, name, server, offer: ref } = installation
  const { values, secrets, budgets, protocol, cwd = '' } = installation
  const initial = { installationId, approvedPlan, revision, name, budgets, protocol, cwd }
  if (installation.source === 'hand') {
    const made = segmentsOf(server, ref, secrets)
    return made && { ...initial, values: {}, secrets: {}, parts: editedParts(made) }
  }
  const offer = findOffer(server, ref)
  return offer && { ...initial, values, secrets, of: { installationId }, server, offer }
}

/** In characters. */
const LONGEST = 2_000

/** Whether a page's address may prefill this text as a server's address. Accepts web addresses without parts that could contain a key. */
export function isWebAddress(text: string): boolean {
  const url = text.length > LONGEST ? null : URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  return [url.username, url.password, url.search, url.hash].every((part) => part === '')
}

type Kinds = readonly ArgumentOrigin['kind'][]

const FIXED: Kinds = ['runner', 'package', 'fixed']
const DEFAULTS: Kinds = ['default']

/** Returns the parts of a command from these sources, each as one string. */
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
 * Whether a command contains anything that the user neither typed nor saw, so that it needs a review before approval. `shown` is the
 * command on screen; the user knows their own later input.
 */
export function isUnseen(shown: LaunchPreview | null, latest: LaunchPreview): boolean {
  if (shown === null) return true
  if (shown.planHash === latest.planHash) return false
  const seen = new Set(partsOf(shown, DEFAULTS))
  return (
    frameOf(shown) !== frameOf(latest) || partsOf(latest, DEFAULTS).some((part) => !seen.has(part))
  )
}

/** The saved draft. */
export type SentDraft = {
  readonly installationId: string
  /** Set for an update: the new version, and the kept earlier one. */
  readonly updated?: { readonly version: string; readonly left: EarlierVersionRef | null }
}

/** How the draft of a form is previewed, copied and saved, and how its fields map to the preview. */
export type Channel = {
  /** Resolves to null while the draft is incomplete. */
  readonly preview: (input: CommandInput) => Promise<LaunchPreview | null>
  readonly write: (input: CommandInput, shell: ShellKind) => Promise<ShellText>
  /** Saves a checked draft, and starts the server if its plan was approved. */
  readonly send: (draft: CheckedDraft, approvedPlan: string | undefined) => Promise<SentDraft>
  /** Returns why a preview needs a review before approval; null if the user knows its content. */
  readonly reviewReason: (seen: LaunchPreview | null, fresh: LaunchPreview) => AppError | null
  /** Returns the place of a field in the form's previews. */
  readonly fieldPathOf: (fieldKey: string) => string | undefined
}

const CONSENT = 'CONSENT_REQUIRED'

/** Returns the channel for a subject. */
export function channelOf(subject: InstallSubject): Channel {
  return 'parts' in subject ? customServerChannel(subject) : entryChannel(subject)
}

function entryChannel({ of, server, installationId, revision }: EntrySubject): Channel {
  return {
    preview: (input) => call('launch.preview', { of, ...input }),
    write: (input, shell) => call('launch.shellText', { of, ...input, shell }),
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
    reviewReason: (seen, fresh) =>
      isUnseen(seen, fresh)
        ? new AppError(CONSENT, 'The command changed since it was shown.', {
            hint: 'Review the current command, then approve it.',
          })
        : null,
    fieldPathOf: (fieldKey) => fieldKey,
  }
}

function customServerChannel({ installationId, revision, parts }: CustomServerSubject): Channel {
  const inputOf = ({ made: server = NOTHING, cwd }: CommandInput) => ({
    installationId,
    server,
    cwd,
  })
  return {
    preview: async (input) => (await call('customServer.preview', inputOf(input))).preview,
    write: (input, shell) => call('customServer.shellText', { ...inputOf(input), shell }),
    send: (draft, approvedPlan) => {
      const { name, budgets, protocol } = draft
      const start = approvedPlan !== undefined
      const sent = { ...inputOf(draft), name, budgets, protocol, revision, approvedPlan, start }
      return call('customServer.save', sent)
    },
    // The user typed the command, so only a warning that was not shown is new.
    reviewReason: (seen, { warnings }) =>
      warnings.every((warning) => seen?.warnings.includes(warning))
        ? null
        : new AppError(CONSENT, 'Review the new warnings before you approve.', {
            hint: 'The warnings are shown next to the form.',
          }),
    fieldPathOf: (fieldKey) =>
      fieldKey === 'url' ? 'url' : toServerJson(customServerOf(parts)).fieldPaths.get(fieldKey),
  }
}

/** Fallback for a draft without parts, which main reports as incomplete. */
const NOTHING: CustomServer = { kind: 'command', command: '', args: [], env: [] }
