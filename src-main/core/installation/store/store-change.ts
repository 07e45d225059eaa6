import * as z from 'zod'

import type { Installation } from '../../../../src-shared/domain/installation/installation'
import type { Settings } from '../../../../src-shared/domain/state/settings'
import { Emitter } from '../../lifecycle/emitter'
import type { ReadParts } from './read-entries'

/** A secret without references that is still to be deleted. */
export type UnwantedSecret = z.infer<typeof UnwantedSecret>
export const UnwantedSecret = z.object({
  /** Key in the secret store. */
  key: z.string(),
  /** Label for the user. */
  label: z.string(),
  /** Why it couldn't be deleted; absent before the first attempt. */
  problem: z.string().optional(),
})

/** The readable content of the settings file. */
export type Contents = ReadParts & {
  readonly settings: Settings
  readonly unwantedSecrets: readonly UnwantedSecret[]
}

/** A write: ids of new or changed installations, ids of those no longer in the list, and the rest. */
export type StoreChange = {
  readonly saved: readonly string[]
  readonly gone: readonly string[]
  readonly hasSettings: boolean
  /** Id of the installation that went back to an earlier version. */
  readonly wentBack?: string | undefined
}

/** Returns the difference between two contents; changed earlier versions count as a change of their installation. */
export function changeBetween(before: Contents, now: Contents): StoreChange {
  const remainingIds = idsOf(now.installations)
  const same = new Set<unknown>(before.installations)
  const [was, is] = [before, now].map(({ earlier }) => new Set(earlier))
  const moved = idsOf([
    ...before.earlier.filter((one) => !is?.has(one)),
    ...now.earlier.filter((one) => !was?.has(one)),
  ])
  return {
    saved: now.installations
      .filter((one) => !same.has(one) || moved.has(one.installationId))
      .map((one) => one.installationId),
    gone: [...idsOf(before.installations)].filter((id) => !remainingIds.has(id)),
    hasSettings: before.settings !== now.settings,
  }
}

function idsOf(list: readonly { readonly installationId: string }[]): Set<string> {
  return new Set(list.map(({ installationId }) => installationId))
}

/** Changes of each server since its newest start, as sentences. In memory only: every server restarts with the app. */
export class UnappliedChanges {
  readonly #reasons = new Map<string, Set<string>>()
  readonly #noted = new Emitter<string>()

  /** Emits the id of each server with a new reason. */
  readonly onDidNote = this.#noted.event

  note(installationId: string, reason: string): void {
    const reasons = this.#reasons.get(installationId) ?? new Set()
    this.#reasons.set(installationId, reasons.add(reason))
    this.#noted.emit(installationId)
  }

  /** Clears a server's changes, because a start reads its values now. */
  applied(installationId: string): void {
    this.#reasons.delete(installationId)
  }

  of(installationId: string): string[] {
    return [...(this.#reasons.get(installationId) ?? [])]
  }
}

/** Returns the part of an installation that decides its start, as one text without secrets. */
export function startText(installation: Installation): string {
  const { server, offer, values, secrets, budgets, protocol, cwd } = installation
  // Independent of the order of choice.
  const places = Object.keys(secrets)
    .toSorted()
    .map((key) => [key, secrets[key]])
  return JSON.stringify([server, offer, values, places, budgets, protocol, cwd])
}
