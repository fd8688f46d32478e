// AES-128 as a DPI function, for designs with module aes_dpi. It uses AES-NI where the processor
// has it, and bytes and shifts otherwise. Byte i of key, block and result is bits 8i to 8i+7.
#include <svdpi.h>

#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

struct Block {
    uint8_t bytes[16];
};

// Product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1.
constexpr uint8_t times(uint8_t a, uint8_t b) {
    uint8_t product = 0;
    for (int bit = 0; bit < 8; bit++) {
        if (b >> bit & 1) product ^= a;
        a = static_cast<uint8_t>(a << 1 ^ (a >> 7) * 0x1b);
    }
    return product;
}

struct Sbox {
    uint8_t of[256];

    // The inverse, x^254, and then the affine map.
    constexpr Sbox() : of() {
        for (int x = 0; x < 256; x++) {
            uint8_t inverse = 1;
            for (int i = 0; i < 254; i++) inverse = times(inverse, static_cast<uint8_t>(x));
            uint8_t y = 0x63;
            for (int turn = 0; turn < 5; turn++) {
                y ^= static_cast<uint8_t>(inverse << turn | inverse >> (8 - turn));
            }
            of[x] = y;
        }
    }
};

const Sbox SBOX;

void next_key(Block& key, uint8_t& constant) {
    uint8_t* k = key.bytes;
    for (int i = 0; i < 4; i++) k[i] ^= SBOX.of[k[12 + (i + 1) % 4]];
    k[0] ^= constant;
    for (int i = 4; i < 16; i++) k[i] ^= k[i - 4];
    constant = times(constant, 2);
}

Block portable(Block key, Block state) {
    uint8_t constant = 1;
    for (int i = 0; i < 16; i++) state.bytes[i] ^= key.bytes[i];
    for (int round = 1; round <= 10; round++) {
        Block shifted;
        for (int i = 0; i < 16; i++) shifted.bytes[i] = SBOX.of[state.bytes[(i + 4 * (i % 4)) % 16]];
        if (round < 10) {
            for (int column = 0; column < 16; column += 4) {
                const uint8_t* s = shifted.bytes + column;
                for (int i = 0; i < 4; i++) {
                    const uint8_t a = s[i], b = s[(i + 1) % 4];
                    state.bytes[column + i] =
                        times(a, 2) ^ times(b, 3) ^ s[(i + 2) % 4] ^ s[(i + 3) % 4];
                }
            }
        } else {
            state = shifted;
        }
        next_key(key, constant);
        for (int i = 0; i < 16; i++) state.bytes[i] ^= key.bytes[i];
    }
    return state;
}

#if defined(__x86_64__)
template <int constant>
__attribute__((target("aes,sse2"))) __m128i stretched(__m128i key) {
    const __m128i word = _mm_shuffle_epi32(_mm_aeskeygenassist_si128(key, constant), 0xff);
    key = _mm_xor_si128(key, _mm_slli_si128(key, 4));
    key = _mm_xor_si128(key, _mm_slli_si128(key, 8));
    return _mm_xor_si128(key, word);
}

__attribute__((target("aes,sse2"))) Block with_aes_ni(const Block& key, const Block& block) {
    __m128i k = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&key));
    __m128i s = _mm_xor_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(&block)), k);
    s = _mm_aesenc_si128(s, k = stretched<0x01>(k));
    s = _mm_aesenc_si128(s, k = stretched<0x02>(k));
    s = _mm_aesenc_si128(s, k = stretched<0x04>(k));
    s = _mm_aesenc_si128(s, k = stretched<0x08>(k));
    s = _mm_aesenc_si128(s, k = stretched<0x10>(k));
    s = _mm_aesenc_si128(s, k = stretched<0x20>(k));
    s = _mm_aesenc_si128(s, k = stretched<0x40>(k));
    s = _mm_aesenc_si128(s, k = stretched<0x80>(k));
    s = _mm_aesenc_si128(s, k = stretched<0x1b>(k));
    s = _mm_aesenclast_si128(s, stretched<0x36>(k));
    Block result;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(&result), s);
    return result;
}
#endif

bool has_aes_ni() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("aes");
#else
    return false;
#endif
}

const bool AES_NI = has_aes_ni();

}  // namespace

extern "C" void halfgate_aes128(const svBitVecVal* key, const svBitVecVal* block,
                                svBitVecVal* result) {
    Block k, b;
    std::memcpy(&k, key, sizeof k);
    std::memcpy(&b, block, sizeof b);
#if defined(__x86_64__)
    const Block r = AES_NI ? with_aes_ni(k, b) : portable(k, b);
#else
    const Block r = portable(k, b);
#endif
    std::memcpy(result, &r, sizeof r);
}

// The portable implementation. It is exported so that a test can compare it with that for AES-NI.
extern "C" void halfgate_aes128_portable(const svBitVecVal* key, const svBitVecVal* block,
                                         svBitVecVal* result) {
    Block k, b;
    std::memcpy(&k, key, sizeof k);
    std::memcpy(&b, block, sizeof b);
    const Block r = portable(k, b);
    std::memcpy(result, &r, sizeof r);
}
