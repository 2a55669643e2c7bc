/* OpenDKIM reads the key of a domain for every message, and OpenSSL prepares it from nothing each time, which takes a third
 * as long as the signature itself. Loaded before OpenSSL, this keeps the keys that were used last. A key is known by its
 * whole text, so another one in the same file counts at once. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <openssl/pem.h>
#include <pthread.h>
#include <string.h>

#define KEPT 64

typedef EVP_PKEY *reader(BIO *, EVP_PKEY **, pem_password_cb *, void *);

static struct {
  char *text;
  long length;
  EVP_PKEY *key;
} kept[KEPT];
static unsigned oldest;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static EVP_PKEY *find(const char *text, long length) {
  EVP_PKEY *key = NULL;
  pthread_mutex_lock(&lock);
  for (unsigned at = 0; at < KEPT && key == NULL; at++)
    if (kept[at].length == length && memcmp(kept[at].text, text, length) == 0 && EVP_PKEY_up_ref(kept[at].key))
      key = kept[at].key;
  pthread_mutex_unlock(&lock);
  return key;
}

static void keep(const char *text, long length, EVP_PKEY *key) {
  char *copy = OPENSSL_memdup(text, length);
  if (copy == NULL || !EVP_PKEY_up_ref(key)) {
    OPENSSL_clear_free(copy, length);
    return;
  }
  pthread_mutex_lock(&lock);
  OPENSSL_clear_free(kept[oldest].text, kept[oldest].length);
  EVP_PKEY_free(kept[oldest].key);
  kept[oldest].text = copy;
  kept[oldest].length = length;
  kept[oldest].key = key;
  oldest = (oldest + 1) % KEPT;
  pthread_mutex_unlock(&lock);
}

EVP_PKEY *PEM_read_bio_PrivateKey(BIO *bio, EVP_PKEY **into, pem_password_cb *ask, void *about) {
  reader *read = (reader *)dlsym(RTLD_NEXT, "PEM_read_bio_PrivateKey");
  char *text = NULL;
  long length = BIO_method_type(bio) == BIO_TYPE_MEM ? BIO_get_mem_data(bio, &text) : 0;
  EVP_PKEY *key;
  if (read == NULL) return NULL;
  if (into != NULL || text == NULL || length <= 0) return read(bio, into, ask, about);
  key = find(text, length);
  if (key != NULL) return key;
  key = read(bio, NULL, ask, about);
  /* Reading has moved the place in the text, not the text. */
  if (key != NULL) keep(text, length, key);
  return key;
}
