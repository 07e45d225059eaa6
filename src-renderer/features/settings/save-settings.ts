import type { Settings } from '../../../src-shared/domain/state/settings'
import type { TypedSetting } from '../../components/settings/setting-rules'
import { call, toErrorShape } from '../../ipc/call'
import { problemWords } from '../../ui/text/problem-messages'

/** Saves a change; resolves to a sentence when main refuses it. */
export async function saveSettings(change: Partial<Settings>): Promise<string | undefined> {
  try {
    await call('settings.update', change)
    return undefined
  } catch (thrown) {
    return problemWords(toErrorShape(thrown))
  }
}

/** One after the other, as what is typed is judged by what the one before has saved. */
const saves = { last: Promise.resolve<unknown>(undefined) }

/** Saves what was typed, or resolves to why it is no value; `read` is called when all before it is saved. */
export function saveTyped(
  read: (text: string) => TypedSetting,
): (text: string) => Promise<string | undefined> {
  return (text) => {
    const save = saves.last.then(() => {
      const typed = read(text)
      return 'problem' in typed ? typed.problem : saveSettings(typed.change)
    })
    // Who typed it hears of a failure; the next one is saved all the same.
    saves.last = save.catch(() => undefined)
    return save
  }
}
