import type { ProcessTree } from '../tree/process-tree'
import type { ChildNote } from './child-keeper'

/** When a tree is looked at after its start, in ms: at once, when a wrapper has started the program proper, and when that has settled. */
const LOOKS_MS = [0, 2_000, 15_000]

/** Notes who belongs to a tree while it starts, for systems where that cannot be told later. Disposing ends it. */
export function followTree(tree: ProcessTree, note: ChildNote): Disposable {
  const timers = LOOKS_MS.map((ms) =>
    setTimeout(() => void tree.look().then((members) => note.seen(members)), ms).unref(),
  )
  return { [Symbol.dispose]: () => timers.forEach((timer) => clearTimeout(timer)) }
}
