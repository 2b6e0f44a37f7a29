/** Parameters to start from, for each node. */
export const exampleParameters: Record<string, object> = {
	smsSend: { to: '09791234567', message: 'Your order is on its way', from: 'MyShop' },
	smsBulkSend: { to: '={{ $json.phone }}', message: '=Hello {{ $json.name }}', from: 'MyShop' },
	smsSendAndWait: {
		...{ to: '09791234567', message: 'Your taxi is here', from: 'MyShop' },
		...{ waitFor: 'anyFinal', timeLimit: 10 },
	},
	smsSendAndWaitForResponse: {
		...{ to: '09791234567', message: 'Refund 45,000 MMK?', from: 'MyShop' },
		...{ responseType: 'approval' },
	},
	smsHistory: {
		returnAll: true,
		filters: {
			status: ['notDelivered'],
			filterByCreatedDateFrom: '={{ $now.minus({ days: 1 }) }}',
		},
	},
	smsList: { phoneColumn: '', nameColumn: '' },
	smsBalance: {},
	otpRequest: { to: '={{ $json.phone }}', brand: 'MyShop', from: 'MyShop' },
	otpVerify: {
		requestId: "={{ $('OTP Request').item.json.requestId }}",
		code: '={{ $json.code }}',
		expectedTo: "={{ $('OTP Request').item.json.to }}",
	},
	smsReceiptTrigger: {
		statuses: ['onNotDelivered'],
		options: { secret: '16-or-more-random-letters' },
	},
};
