import { type EventChannel, events, type RequestChannel, requests } from './contract'

/** Every request channel of the contract. The preload and the renderer contain only the list (electron.vite.config.ts). */
export const REQUEST_CHANNELS = Object.keys(requests) as RequestChannel[]

/** Every event channel of the contract, likewise. */
export const EVENT_CHANNELS = Object.keys(events) as EventChannel[]
