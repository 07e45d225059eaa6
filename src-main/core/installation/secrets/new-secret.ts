import { randomUUID } from 'node:crypto'

import type { StoredSecret } from '../../../../src-shared/domain/installation/stored-secret'

const LONGEST_NAME = 120

type Named = Pick<StoredSecret, 'name'>

/** A stored secret with an id of its own, typed now. */
export function newSecret(name: string): StoredSecret {
  const now = Date.now()
  return { secretId: randomUUID(), name, createdAt: now, changedAt: now }
}

/** Whether one of `others` has the name, whatever the case. */
export function isNameTaken(name: string, others: readonly Named[]): boolean {
  return others.some((one) => one.name.toLowerCase() === name.toLowerCase())
}

/** The name itself, shortened to fit, or with the first free number behind it when it is taken. */
export function freeSecretName(wanted: string, others: readonly Named[]): string {
  const base = wanted.slice(0, LONGEST_NAME - 10)
  let name = base
  // One of them is free: there are more tries than names.
  for (let number = 2; number <= others.length + 2 && isNameTaken(name, others); number += 1) {
    name = `${base} ${String(number)}`
  }
  return name
}
