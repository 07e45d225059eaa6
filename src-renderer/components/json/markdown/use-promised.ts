import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'

import { toErrorShape } from '../../../ipc/call'

/** What is asked for once, when the caller is first drawn: undefined while it is on its way, an error where it does not come. */
export function usePromised<T>(ask: () => Promise<T>): T | Error | undefined {
  const id = useId()
  const { data, error } = useQuery({ queryKey: [id], queryFn: ask, gcTime: 0 })
  return error === null ? data : new Error(toErrorShape(error).message)
}
