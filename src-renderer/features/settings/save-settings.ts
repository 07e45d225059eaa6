import type { Settings } from '../../../src-shared/domain/settings'
import { call, toErrorShape } from '../../ipc/call'
import type { TypedSetting } from './setting-rules'

/** Saves a change; resolves to a sentence when main refuses it. */
export async function saveSettings(change: Partial<Settings>): Promise<string | undefined> {
  try {
    await call('settings.update', change)
    return undefined
  } catch (thrown) {
    const { message, hint } = toErrorShape(thrown)
    return hint === undefined ? message : `${message} ${hint}`
  }
}

/** Saves what was typed, or resolves to why it is no value. */
export function saveTyped(
  read: (text: string) => TypedSetting,
): (text: string) => Promise<string | undefined> {
  return async (text) => {
    const typed = read(text)
    return 'problem' in typed ? typed.problem : saveSettings(typed.change)
  }
}
