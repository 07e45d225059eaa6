import { zodResolver } from '@hookform/resolvers/zod'
import type { Resolver } from 'react-hook-form'

import type { CheckedDraft, DraftRules, InstallDraft } from './install-values'
import { chosenSecrets, draftSchema } from './install-values'

type DraftResolver = Resolver<InstallDraft, unknown, CheckedDraft>

/** Checks a draft by its schema; a field that uses a stored secret has a value, as one that has its own saved. */
export function draftResolver(rules: DraftRules): DraftResolver {
  const made = new Map<string, DraftResolver>()
  return (draft, context, options) => {
    const chosen = Object.keys(chosenSecrets(draft.shared))
    const isAddress = draft.hand?.kind === 'address'
    const id = [isAddress, ...chosen].join()
    const savedSecrets = [...rules.savedSecrets, ...chosen]
    const resolver: DraftResolver =
      made.get(id) ?? zodResolver(draftSchema({ ...rules, savedSecrets, isAddress }))
    made.set(id, resolver)
    return resolver(draft, context, options)
  }
}
