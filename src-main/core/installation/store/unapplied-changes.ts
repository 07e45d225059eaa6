import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { Emitter } from '../../lifecycle/emitter'

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

/** Whether a server would be started otherwise than before, as far as the settings file tells. */
export function startsOtherwise(before: Installation, now: Installation): boolean {
  return startText(before) !== startText(now)
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
