import * as z from 'zod'

import type { Installation } from '../../../../src-shared/domain/installation/installation'
import type { Settings } from '../../../../src-shared/domain/state/settings'
import { Emitter } from '../../lifecycle/emitter'
import type { ReadParts } from './read-entries'

/** A secret that nothing refers to any more and that is still to be deleted. */
export type UnwantedSecret = z.infer<typeof UnwantedSecret>
export const UnwantedSecret = z.object({
  /** In the secret store. */
  key: z.string(),
  /** How the user knows it. */
  label: z.string(),
  /** Why it could not be deleted; missing: not tried yet. */
  problem: z.string().optional(),
})

/** What of the settings file could be read. */
export type Contents = ReadParts & {
  readonly settings: Settings
  readonly unwantedSecrets: readonly UnwantedSecret[]
}

/** What was written: installations that are new or other than before, those that are out of the list, and the rest. */
export type StoreChange = {
  readonly saved: readonly string[]
  readonly gone: readonly string[]
  readonly hasSettings: boolean
  /** The one that went back to an earlier version. */
  readonly wentBack?: string | undefined
}

/** What a reader of `before` has to hear; an installation is another also where what it was before is. */
export function changeBetween(before: Contents, now: Contents): StoreChange {
  const left = idsOf(now.installations)
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
    gone: [...idsOf(before.installations)].filter((id) => !left.has(id)),
    hasSettings: before.settings !== now.settings,
  }
}

function idsOf(list: readonly { readonly installationId: string }[]): Set<string> {
  return new Set(list.map(({ installationId }) => installationId))
}

/**
 * What changed of each server since its newest start read its values, as sentences. In memory only: with the app
 * every server starts again.
 */
export class UnappliedChanges {
  readonly #reasons = new Map<string, Set<string>>()
  readonly #noted = new Emitter<string>()

  /** Tells the id of each server that something is noted of. */
  readonly onDidNote = this.#noted.event

  note(installationId: string, reason: string): void {
    const reasons = this.#reasons.get(installationId) ?? new Set()
    this.#reasons.set(installationId, reasons.add(reason))
    this.#noted.emit(installationId)
  }

  /** A start reads the values from here on. */
  applied(installationId: string): void {
    this.#reasons.delete(installationId)
  }

  of(installationId: string): string[] {
    return [...(this.#reasons.get(installationId) ?? [])]
  }
}

/** What of an installation decides how it starts, as one text; no secret is in it. */
export function startText(installation: Installation): string {
  const { server, offer, values, secrets, budgets, protocol, cwd } = installation
  // In whatever order they were chosen.
  const places = Object.keys(secrets)
    .toSorted()
    .map((key) => [key, secrets[key]])
  return JSON.stringify([server, offer, values, places, budgets, protocol, cwd])
}
