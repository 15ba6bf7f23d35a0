/* Handing work to one other thread. */
#include "base/relay.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/pool.h"

struct relay {
	pthread_t thread;
	bool started;
	void (*work)(void *context, size_t place);
	void *context;
	size_t places;

	pthread_mutex_t lock;   // protects everything below
	pthread_cond_t changed; // one of the two threads waits at most
	size_t sent, done;      // counts; sent - done places are not free
	bool ends;
};

static void *run(void *arg) {
	struct relay *relay = arg;
	pthread_mutex_lock(&relay->lock);
	for (;;) {
		while (relay->done == relay->sent && !relay->ends) {
			pthread_cond_wait(&relay->changed, &relay->lock);
		}
		if (relay->done == relay->sent) {
			break;
		}
		size_t place = relay->done % relay->places;
		pthread_mutex_unlock(&relay->lock);
		relay->work(relay->context, place);
		pthread_mutex_lock(&relay->lock);
		relay->done++;
		pthread_cond_signal(&relay->changed);
	}
	pthread_mutex_unlock(&relay->lock);
	return NULL;
}

struct relay *relay_new(size_t places, void (*work)(void *context, size_t place), void *context) {
	struct relay *relay = mem_new(1, sizeof(*relay));
	relay->work = work;
	relay->context = context;
	relay->places = places;
	pthread_mutex_init(&relay->lock, NULL);
	pthread_cond_init(&relay->changed, NULL);
	relay->started = pool_start(&relay->thread, run, relay);
	if (!relay->started) {
		relay_free(relay);
		return NULL;
	}
	return relay;
}

/** Wait until fewer than `most` places are not free. */
static void wait_for(struct relay *relay, size_t most) {
	pthread_mutex_lock(&relay->lock);
	while (relay->sent - relay->done >= most) {
		pthread_cond_wait(&relay->changed, &relay->lock);
	}
	pthread_mutex_unlock(&relay->lock);
}

size_t relay_place(struct relay *relay) {
	wait_for(relay, relay->places);
	return relay->sent % relay->places; // only this thread changes `sent`
}

void relay_send(struct relay *relay) {
	pthread_mutex_lock(&relay->lock);
	relay->sent++;
	pthread_cond_signal(&relay->changed);
	pthread_mutex_unlock(&relay->lock);
}

void relay_wait(struct relay *relay) {
	wait_for(relay, 1);
}

void relay_free(struct relay *relay) {
	if (relay == NULL) {
		return;
	}
	if (relay->started) {
		pthread_mutex_lock(&relay->lock);
		relay->ends = true;
		pthread_cond_signal(&relay->changed);
		pthread_mutex_unlock(&relay->lock);
		pthread_join(relay->thread, NULL);
	}
	pthread_cond_destroy(&relay->changed);
	pthread_mutex_destroy(&relay->lock);
	free(relay);
}
