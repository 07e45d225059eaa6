import { toDisposable } from '../../lifecycle/disposables'

/** Keeps a request counted until the result is disposed, also when its connection is gone before. */
export type Hold = () => Disposable

/** A place that is free, by `free`, when every hold on it is over; at least one has to be taken. */
export function heldPlace(free: () => void): Hold {
  let holds = 0
  return () => {
    holds += 1
    return toDisposable(() => {
      holds -= 1
      if (holds === 0) free()
    })
  }
}
