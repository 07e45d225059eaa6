import { describe, expect, it } from 'vitest'

import { DEADLINES, useDeadline } from './tool-run-bar'

describe('F10: deadline of Try it', () => {
  it("is the server's call limit until the user chooses a shorter one", () => {
    const { deadlineMs } = useDeadline.getState()
    expect(deadlineMs).toBeUndefined()
    expect(DEADLINES.find(({ value }) => value === deadlineMs)?.label).toBe('Default')
  })
})
