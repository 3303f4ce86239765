/** For `expect.poll`: the time is for machines that do much else. */
export const soon = { timeout: 20_000 } as const;
