import { useEffect } from 'react'

import type { ServerView } from '../../src-shared/domain/state/app-state'
import {
  ensureCapabilities,
  type KnownCapabilities,
  useCapabilities,
} from '../stores/capability-store'

const UNKNOWN: KnownCapabilities = {
  capabilities: null,
  reading: true,
  problem: null,
  readFor: '',
}

/** What a server lists, read where it is not known yet. */
export function useTrialCapabilities(server: ServerView): KnownCapabilities {
  useEffect(() => {
    ensureCapabilities(server)
  }, [server])
  return useCapabilities(server.installationId) ?? UNKNOWN
}
