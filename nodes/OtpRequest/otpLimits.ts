/** Specification, "Limits". `ttl` is in seconds. */
export const otpLimits = {
	ttl: { min: 60, max: 3600 },
	pinLength: { min: 4, max: 8 },
	maxInvalidAttempts: { min: 1, max: 10 },
} as const;
