import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import { EVERY_SERVER, type ServerFilter } from './listed-servers'

const viewStore = createStore<{ readonly filter: ServerFilter }>(() => ({ filter: EVERY_SERVER }))

/** How the list of servers is narrowed and sorted; kept while the app is open. */
export function useServerFilter(): ServerFilter {
  return useStore(viewStore, ({ filter }) => filter)
}

export function setServerFilter(filter: ServerFilter): void {
  viewStore.setState({ filter })
}
