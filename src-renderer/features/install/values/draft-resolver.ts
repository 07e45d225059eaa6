import { zodResolver } from '@hookform/resolvers/zod'
import type { Resolver } from 'react-hook-form'

import type { CheckedDraft, DraftRules, InstallDraft } from './install-values'
import { draftSchema, sentPlaces } from './install-values'

type DraftResolver = Resolver<InstallDraft, unknown, CheckedDraft>

/** Checks a draft by its schema; a field whose secret is somewhere has a value. */
export function draftResolver(rules: Omit<DraftRules, 'savedSecrets'>): DraftResolver {
  const made = new Map<string, DraftResolver>()
  return (draft, context, options) => {
    const savedSecrets = Object.keys(sentPlaces(draft.secrets))
    const isAddress = draft.hand?.kind === 'address'
    const id = [isAddress, ...savedSecrets].join()
    const resolver: DraftResolver =
      made.get(id) ?? zodResolver(draftSchema({ ...rules, savedSecrets, isAddress }))
    made.set(id, resolver)
    return resolver(draft, context, options)
  }
}
