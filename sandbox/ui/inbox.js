/*
 * The inbox in the browser: reloads after changes, searches while typing, and calls the control API.
 * Keyboard focus, selections and typed text survive every reload.
 */
(() => {
	const inbox = document.getElementById('inbox');
	const news = document.getElementById('news');
	const say = (text) => {
		news.textContent = text;
	};
	const noAnswer = 'The sandbox does not respond.';
	let isLoading = false;
	let isStale = false;
	let isPressed = false;
	for (const type of ['pointerdown', 'pointerup', 'pointercancel']) {
		document.addEventListener(type, () => (isPressed = type === 'pointerdown'));
	}

	const isBusy = () =>
		document.hidden ||
		isPressed ||
		!getSelection().isCollapsed ||
		(inbox.contains(document.activeElement) && document.activeElement.matches('input, select'));

	const show = (text) => {
		const [main = ''] = text.match(/<main[^]*<\/main>/) ?? [];
		const page = new DOMParser().parseFromString(main, 'text/html');
		const next = page.getElementById('inbox');
		if (!next || next.innerHTML === inbox.innerHTML) return;
		const { id } = document.activeElement;
		const typed = [...inbox.querySelectorAll('input, select')];
		inbox.replaceChildren(...next.childNodes);
		for (const { id: name, value } of typed) {
			const field = document.getElementById(name);
			if (field) field.value = value;
		}
		if (id) document.getElementById(id)?.focus();
	};

	const load = async () => {
		if (isLoading || isBusy()) {
			isStale = true;
			return;
		}
		isLoading = true;
		isStale = false;
		try {
			const answer = await fetch(location.href);
			const text = await answer.text();
			if (isBusy()) isStale = true;
			else show(text);
		} catch {
			say(noAnswer);
		} finally {
			isLoading = false;
		}
	};

	// No open stream: a browser has six connections for all tabs together.
	let changes;
	let isAsking = false;
	const follow = async () => {
		if (document.hidden || isAsking) return;
		isAsking = true;
		try {
			const before = changes;
			({ changes } = await (await fetch('/_sandbox/changes')).json());
			if (news.textContent === noAnswer) say('');
			if (isStale || changes !== before) load();
		} catch {
			say(noAnswer);
		}
		isAsking = false;
	};
	setInterval(follow, 500);
	document.addEventListener('visibilitychange', follow);

	const search = document.querySelector('input[name=q]');
	let typing;
	search.addEventListener('input', () => {
		clearTimeout(typing);
		typing = setTimeout(() => {
			const query = new URLSearchParams(new FormData(search.form));
			history.replaceState(null, '', '/_sandbox?' + query);
			load();
		}, 150);
	});

	document.addEventListener('submit', async (event) => {
		const form = event.target;
		const { post, put, confirm: question } = form.dataset;
		if (!post && !put) return;
		event.preventDefault();
		if (question && !confirm(question)) return;
		const body = {};
		for (const field of form.elements) {
			if (field.name)
				body[field.name] = field.type === 'number' ? Number(field.value) : field.value;
		}
		say('');
		const headers = { 'Content-Type': 'application/json' };
		const answer = await fetch(post ?? put, {
			method: post ? 'POST' : 'PUT',
			headers,
			body: JSON.stringify(body),
		});
		say(answer.ok ? 'Done.' : (await answer.json()).message);
		document.activeElement.blur();
		load();
	});

	document.addEventListener('click', async ({ target }) => {
		const { copy } = target.dataset;
		if (!copy) return;
		await navigator.clipboard.writeText(copy);
		say('Copied ' + copy + '.');
	});

	setInterval(() => {
		for (const element of document.querySelectorAll('[data-seconds]')) {
			const left = Math.max(0, element.dataset.seconds - 1);
			element.dataset.seconds = left;
			element.textContent = left + ' s';
			if (left === 0) load();
		}
	}, 1000);
})();
