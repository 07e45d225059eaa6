import { createServer } from 'node:net'

import { AppError, type AppErrorShape } from '../../../src-shared/domain/app-error'
import type {
  AddedServer,
  AddedServers,
} from '../../../src-shared/domain/installation/configuration'
import {
  type EarlierVersionRef,
  refOfEarlier,
} from '../../../src-shared/domain/installation/earlier-version'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import { isWorking, type RunStatus } from '../../../src-shared/domain/running/run-status'
import type { FieldValue, FieldValues } from '../../../src-shared/domain/server-json/field-values'
import type { OfferRef } from '../../../src-shared/domain/server-json/offer'
import type { FormField } from '../../../src-shared/form/form-field'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import type { PastedServer } from '../import/read-server'
import {
  type CustomServerSave,
  previewCustomServer,
  saveCustomServerDraft,
} from '../installation/custom-server'
import type { Draft, SetUpEntry } from '../installation/draft'
import { type InstallationService, offerOf } from '../installation/installation-service'
import { background } from '../lifecycle/background'
import { bindLoopback } from '../listener/bind-loopback'
import type { ServerRemovals } from '../removal/server-removals'
import type { ServerDirectory } from '../servers/server-directory'
import type { SignIns } from '../sign-in/sign-in'
import type { Tools } from '../tools/tools'

/** A name of a port, of a field or of what it fills: `port`, `HTTP_PORT`, `--listen-port`. */
const PORT_NAME = /(?:^|[^a-z])port(?:$|[^a-z])/i
/** Empty too: what is not set is up to the server. */
const PORT = /^\d{0,5}$/

/**
 * The one field that holds the port of a server: the one with the port that is taken, where that is known, else the
 * one that is named after it; undefined where none or several may be it.
 */
export function portField(
  fields: readonly FormField[],
  values: FieldValues,
  taken: number | undefined,
): FormField | undefined {
  const plain = fields.filter(({ secret, repeated }) => !secret && !repeated)
  const holding = plain.filter((field) => valueOf(field, values) === String(taken))
  if (holding.length > 0) return holding.length === 1 ? holding[0] : undefined
  const named = plain.filter((field) => {
    const value = valueOf(field, values)
    return isNamed(field) && typeof value === 'string' && PORT.test(value)
  })
  return named.length === 1 ? named[0] : undefined
}

function valueOf({ key, default: standard = '' }: FormField, values: FieldValues): FieldValue {
  return values[key] ?? standard
}

function isNamed({ key, label, machineName = '' }: FormField): boolean {
  return [key, label, machineName].some((name) => PORT_NAME.test(name.replaceAll('_', ' ')))
}

/** A port of this computer on which nobody listens at the moment. Rejects with the system's error. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await bindLoopback(server, 0, () => undefined)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** What the requests go to. */
export type InstalledParts = {
  readonly installations: InstallationService
  readonly servers: Pick<ServerDirectory, 'add' | 'read' | 'stop'>
  readonly tools: Pick<Tools, 'loaded' | 'isListed'>
  readonly removals: Pick<ServerRemovals, 'begin' | 'remove'>
  readonly signIns: Pick<SignIns, 'of'>
  /** Called with the id of each server that has its place among the running ones from now on. */
  readonly onAdded: (installationId: string) => void
}

type Start = { readonly start: boolean }

/**
 * What can be wished of installed servers, each in one call: it reaches the settings file, the keychain and what runs.
 * Screens learn of it by the events of those. Each rejects as the part of `InstallationService` does that it is named after.
 */
export class InstalledServers {
  constructor(private readonly parts: InstalledParts) {}

  /** Installs an entry; `start` enables and starts it. */
  async create(
    entry: SetUpEntry,
    offer: OfferRef,
    draft: Draft,
    { start, asItIs }: Start & { readonly asItIs: boolean },
  ): Promise<string> {
    const options = { asItIs, enabled: start }
    const { installationId } = await this.parts.installations.create(entry, offer, draft, options)
    this.#add(installationId)
    if (start) this.#server(installationId).start()
    return installationId
  }

  /** Saves what was typed; `start` starts it again with that. */
  async save(installationId: string, draft: Draft, { start }: Start): Promise<void> {
    await this.parts.installations.update(installationId, draft)
    if (start) this.#server(installationId).restart()
  }

  /** Saves what was written manually, as a new server where no id is given; `start` enables it and starts it again. */
  async saveCustomServer(
    installationId: string | undefined,
    draft: Omit<CustomServerSave, 'enabled' | 'asItIs'>,
    { start }: Start,
  ): Promise<string> {
    const { installations } = this.parts
    const old = installationId === undefined ? undefined : installations.read(installationId)
    const save = { ...draft, enabled: start, asItIs: false }
    const { installationId: id } = await saveCustomServerDraft(installations, save, old)
    if (old === undefined) this.#add(id)
    else if (start) installations.set(id, { enabled: true })
    if (start) this.#server(id).restart()
    return id
  }

  /** Moves it to another version of its entry; `start` starts that. Resolves to what is kept of before, if anything. */
  async upgrade(
    installationId: string,
    entry: SetUpEntry,
    offer: OfferRef,
    draft: Draft,
    { start }: Start,
  ): Promise<EarlierVersionRef | null> {
    const left = await this.parts.installations.upgrade(installationId, entry, offer, draft)
    if (start) this.#server(installationId).restart()
    return left ? refOfEarlier(left) : null
  }

  /**
   * Brings an earlier version back; `start` starts that, where nothing of it has to be approved: what runs goes on
   * until then.
   */
  async goBack(
    installationId: string,
    versionKey: string,
    { start }: Start,
  ): Promise<{ readonly left: EarlierVersionRef | null; readonly asksAgain: boolean }> {
    const { installations } = this.parts
    const { left, asksAgain } = await installations.goBack(installationId, versionKey)
    if (start && !asksAgain) this.#server(installationId).restart()
    return { left: left ? refOfEarlier(left) : null, asksAgain }
  }

  /** Adds servers that were pasted or imported and starts those that were approved; reports how far it came. */
  async addMany(chosen: readonly UsableServer[]): Promise<AddedServers> {
    const { installations, signIns } = this.parts
    const result = await addServers(chosen, installations, signIns, (id) => this.#add(id))
    for (const { installationId, starts } of result.added)
      if (starts) this.#server(installationId).start()
    return result
  }

  /** Switches it on, which starts it where its policy says so, or off, which stops it. */
  async setEnabled(installationId: string, enabled: boolean): Promise<void> {
    const { installations, tools } = this.parts
    const server = this.#server(installationId)
    installations.set(installationId, { enabled })
    if (!enabled) {
      background(server.stop(), 'stopping a server')
      return
    }
    server.liftStop()
    await tools.loaded
    // It may have been switched off again or removed meanwhile.
    const now = installations.read(installationId)
    if (startsWhenEnabled(now, tools.isListed(installationId))) server.start()
  }

  /** Takes away the copy that a runner keeps of its package and starts it, which fetches it again. Throws INVALID_REQUEST unless it is stopped or failed. */
  repair(installationId: string): void {
    const server = this.#server(installationId)
    if (!server.start({ repairs: true })) throw busyError(server.status)
  }

  /** The key of the field that holds its port, null where none surely does, and a port that is free. */
  async findPort(
    installationId: string,
    taken: number | undefined,
  ): Promise<{ readonly fieldKey: string | null; readonly port: number }> {
    const installation = this.parts.installations.read(installationId)
    // The form of what was written manually has other fields.
    const isHand = installation.source === 'hand'
    const fields = isHand ? [] : fieldsOfOffer(offerOf(installation))
    const field = portField(fields, installation.values, taken)
    return { fieldKey: field?.key ?? null, port: await freePort() }
  }

  /** Stops it and removes it: immediately, or so that it can be taken back for half a minute. */
  async remove(
    installationId: string,
    options: { readonly deleteSecrets: boolean; readonly canTakeBack: boolean },
  ): Promise<void> {
    const { servers, removals } = this.parts
    if (options.canTakeBack) {
      await removals.begin(installationId, options.deleteSecrets)
      return
    }
    await servers.stop(installationId)
    await removals.remove(installationId, options.deleteSecrets)
  }

  #add(installationId: string): void {
    this.parts.servers.add(installationId)
    this.parts.onAdded(installationId)
  }

  #server(installationId: string): ReturnType<ServerDirectory['read']> {
    return this.parts.servers.read(installationId)
  }
}

/** A server that can be added. */
export type UsableServer = Extract<PastedServer, { kind: 'usable' }>

/**
 * Adds servers one after the other, their secrets and the clients of their sign-ins in the keychain; the first that fails ends it. Those whose plan was
 * approved and that lack no value are enabled, the others are switched off. Fails with CONSENT_REQUIRED where another
 * plan was approved than the one that would run.
 */
async function addServers(
  chosen: readonly UsableServer[],
  installations: InstallationService,
  signIns: Pick<SignIns, 'of'>,
  onAdded: (installationId: string) => void,
): Promise<AddedServers> {
  const added: AddedServer[] = []
  for (const { index, name, drafted, tools, choice, oauth } of chosen) {
    const { made, cwd } = drafted
    const { approvedPlan } = choice
    const isComplete =
      previewCustomServer(installations, made, cwd, undefined).problems.length === 0
    const enabled = approvedPlan !== undefined && isComplete
    const common = { name, made, cwd, budgets: {}, enabled, asItIs: true, toolChoice: tools }
    const save = { ...common, ...(approvedPlan !== undefined && { approvedPlan }) }
    try {
      const { installationId } = await saveCustomServerDraft(installations, save, undefined)
      onAdded(installationId)
      added.push({ installationId, name, index, starts: enabled })
      if (oauth) await signIns.of(installationId).prepare(oauth.client, oauth.scopes)
    } catch (error) {
      const isAdded = added.at(-1)?.index === index
      const what = isAdded ? 'was added without its OAuth client' : 'was not added'
      return { added, problem: problemOf(`${name} ${what}.`, error) }
    }
  }
  return { added, problem: null }
}

/** Anything but an AppError is a defect and thrown on. */
function problemOf(what: string, error: unknown): AppErrorShape {
  if (!(error instanceof AppError)) throw error
  const { code, message, hint } = error
  return { code, message: `${what} ${message}`, hint }
}

/** Why something that comes before a start was not done: INVALID_REQUEST. */
export function busyError({ kind }: Pick<RunStatus, 'kind'>): AppError {
  const state = isWorking({ kind }) ? 'running' : kind === 'starting' ? 'starting' : 'stopping'
  return new AppError('INVALID_REQUEST', `The server is ${state}.`, {
    hint: 'Stop the server, wait until it has stopped, then try again.',
  })
}

type Policy = Pick<Installation, 'enabled' | 'starts'>

/** Whether a server starts when the app does. */
export function startsWithApp({ enabled, starts }: Policy): boolean {
  return enabled && starts === 'withApp'
}

/** Whether switching a server on starts it immediately: one that starts with its first use does so once, as nobody can use a tool that was never listed. */
export function startsWhenEnabled({ enabled, starts }: Policy, isListed: boolean): boolean {
  return enabled && (starts === 'withApp' || (starts === 'onFirstUse' && !isListed))
}
