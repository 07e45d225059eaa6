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

/** Matches names of a port, its field or its target: `port`, `HTTP_PORT`, `--listen-port`. */
const PORT_NAME = /(?:^|[^a-z])port(?:$|[^a-z])/i
/** Also matches an empty value: the server then picks its own port. */
const PORT = /^\d{0,5}$/

/**
 * Returns the one field that holds a server's port: the field with the port in use, if that is known. Otherwise it is the field named after
 * a port. Undefined if none or several match.
 */
export function portField(
  fields: readonly FormField[],
  values: FieldValues,
  usedPort: number | undefined,
): FormField | undefined {
  const plain = fields.filter(({ secret, repeated }) => !secret && !repeated)
  const holding = plain.filter((field) => valueOf(field, values) === String(usedPort))
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

/** Returns a free port of this computer. Rejects with the system's error. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await bindLoopback(server, 0, () => undefined)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The parts that the requests act on. */
export type InstalledParts = {
  readonly installations: InstallationService
  readonly servers: Pick<ServerDirectory, 'add' | 'read' | 'stop'>
  readonly tools: Pick<Tools, 'loaded' | 'isListed'>
  readonly removals: Pick<ServerRemovals, 'begin' | 'remove'>
  readonly signIns: Pick<SignIns, 'of'>
  /** Called with the id of each server that was added to the running ones. */
  readonly onAdded: (installationId: string) => void
}

type Start = { readonly start: boolean }

/**
 * Actions on installed servers, each in one call that updates settings file, keychain and running servers; screens follow the events of
 * those. Each rejects as the `InstallationService` method of the same name does.
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

  /** Saves the form; `start` restarts the server with the new values. */
  async save(installationId: string, draft: Draft, { start }: Start): Promise<void> {
    await this.parts.installations.update(installationId, draft)
    if (start) this.#server(installationId).restart()
  }

  /** Saves a custom server, as a new one if no id is given; `start` enables and restarts it. */
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

  /** Moves to another version of the entry; `start` starts that. Resolves to the version that is kept, if any. */
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

  /** Restores an earlier version; `start` restarts the server if nothing requires approval. Otherwise the running version continues. */
  async rollBack(
    installationId: string,
    versionKey: string,
    { start }: Start,
  ): Promise<{ readonly left: EarlierVersionRef | null; readonly asksAgain: boolean }> {
    const { installations } = this.parts
    const { left, asksAgain } = await installations.rollBack(installationId, versionKey)
    if (start && !asksAgain) this.#server(installationId).restart()
    return { left: left ? refOfEarlier(left) : null, asksAgain }
  }

  /** Adds pasted or imported servers and starts those that were approved; reports how many were added. */
  async addMany(chosen: readonly UsableServer[]): Promise<AddedServers> {
    const { installations, signIns } = this.parts
    const result = await addServers(chosen, installations, signIns, (id) => this.#add(id))
    for (const { installationId, starts } of result.added)
      if (starts) this.#server(installationId).start()
    return result
  }

  /** Turns a server on, which starts it if its policy says so, or off, which stops it. */
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
    // The server may have been turned off or removed meanwhile.
    const current = installations.read(installationId)
    if (startsWhenEnabled(current, tools.isListed(installationId))) server.start()
  }

  /**
   * Deletes the runner's cached copy of the package and starts the server, which downloads it again. Throws INVALID_REQUEST unless it is
   * stopped or failed.
   */
  repair(installationId: string): void {
    const server = this.#server(installationId)
    if (!server.start({ repairs: true })) throw busyError(server.status)
  }

  /** Returns the key of the field that holds the port, null if that isn't certain, and a free port. */
  async findPort(
    installationId: string,
    usedPort: number | undefined,
  ): Promise<{ readonly fieldKey: string | null; readonly port: number }> {
    const installation = this.parts.installations.read(installationId)
    // Custom servers have other fields in their form.
    const isCustom = installation.source === 'hand'
    const fields = isCustom ? [] : fieldsOfOffer(offerOf(installation))
    const field = portField(fields, installation.values, usedPort)
    return { fieldKey: field?.key ?? null, port: await freePort() }
  }

  /** Stops and removes a server: immediately, or with 30 seconds to undo. */
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
 * Adds servers in order, with their secrets and sign-in clients in the keychain, until the first failure. Enables those whose plan was
 * approved and that miss no value. Fails with CONSENT_REQUIRED if another plan was approved than the current one.
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
    const common = {
      name,
      server: made,
      cwd,
      budgets: {},
      enabled,
      asItIs: true,
      toolChoice: tools,
    }
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

/** Returns an AppError as data; rethrows anything else as a defect. */
function problemOf(what: string, error: unknown): AppErrorShape {
  if (!(error instanceof AppError)) throw error
  const { code, message, hint } = error
  return { code, message: `${what} ${message}`, hint }
}

/** Returns the INVALID_REQUEST error for an action that requires a stopped server. */
export function busyError({ kind }: Pick<RunStatus, 'kind'>): AppError {
  const state = isWorking({ kind }) ? 'running' : kind === 'starting' ? 'starting' : 'stopping'
  return new AppError('INVALID_REQUEST', `The server is ${state}.`, {
    hint: 'Stop the server, wait until it has stopped, then try again.',
  })
}

type Policy = Pick<Installation, 'enabled' | 'starts'>

/** Whether a server starts with the app. */
export function startsWithApp({ enabled, starts }: Policy): boolean {
  return enabled && starts === 'withApp'
}

/**
 * Whether turning a server on starts it immediately. A server that starts on first use does so once, because its tools must be listed
 * before anybody can use them.
 */
export function startsWhenEnabled({ enabled, starts }: Policy, isListed: boolean): boolean {
  return enabled && (starts === 'withApp' || (starts === 'onFirstUse' && !isListed))
}
