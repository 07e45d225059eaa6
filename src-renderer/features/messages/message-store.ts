import { create } from 'zustand'

import { ALL_MESSAGES, type MessageView } from './message-view'

/** What the user set for the messages of one server. */
export type MessageSettings = {
  readonly view: MessageView
  /** Nothing new is read. */
  readonly isPaused: boolean
  /** The message that is shown in full, and the main that it is of: another one counts its messages again. */
  readonly selected: { readonly seq: number; readonly main: object | undefined } | undefined
}

const UNSET: MessageSettings = { view: ALL_MESSAGES, isPaused: false, selected: undefined }

/** By server; they stay while other pages are looked at. */
const useSettings = create<Readonly<Record<string, MessageSettings>>>(() => ({}))

/** What is set for the messages of one server, live. */
export function useMessageSettings(installationId: string): MessageSettings {
  return useSettings((servers) => servers[installationId] ?? UNSET)
}

/** Changes a part of what is set. */
export function setMessages(installationId: string, change: Partial<MessageSettings>): void {
  useSettings.setState((servers) => ({
    [installationId]: { ...(servers[installationId] ?? UNSET), ...change },
  }))
}

/** Changes a part of what is filtered. */
export function setMessageView(installationId: string, change: Partial<MessageView>): void {
  const { view } = useSettings.getState()[installationId] ?? UNSET
  setMessages(installationId, { view: { ...view, ...change } })
}
