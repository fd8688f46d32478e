"""Trains and quantises the network of this folder, and writes its files.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 scikit-learn==1.9.1
    venv/bin/python train.py

The network has 64 pixels, 32 hidden neurons and 10 classes. `programs/src/mlp.rs` defines the
arithmetic of its integers. Floats may be rounded differently on another processor, so that the
weights differ.
"""

import json
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier

HERE = Path(__file__).parent
LARGEST_PIXEL = 16
HELD_OUT = 360

digits = load_digits()
pixels, target = digits.data.astype(int), digits.target
images, held_out, labels, held_out_labels = train_test_split(
    pixels, target, test_size=HELD_OUT, random_state=0, stratify=target
)
network = MLPClassifier((32,), alpha=0.1, max_iter=1000, random_state=0)
network.fit(images / LARGEST_PIXEL, labels)
(first, last), (first_bias, last_bias) = network.coefs_, network.intercepts_

# A sum is the real one times `scale`: 2^SHIFT times that of the activations, the largest of which
# becomes 255.
activations = np.maximum(images / LARGEST_PIXEL @ first + first_bias, 0)
activation = 255 / activations.max()
SHIFT = int(np.log2(127 * LARGEST_PIXEL / activation / abs(first).max()))
scale = 2**SHIFT * activation
weights = [np.rint(first * scale / LARGEST_PIXEL).astype(int)]
biases = [np.rint(first_bias * scale).astype(int)]

# The last layer has no activation, so its scale is the largest for which weights have 8 bits.
scale = 127 / abs(last).max() * activation
weights.append(np.rint(last * scale / activation).astype(int))
biases.append(np.rint(last_bias * scale).astype(int))


def classes(images):
    """The classes of images, in the integers of `mlp`."""
    hidden = np.clip(np.maximum(images @ weights[0] + biases[0], 0) >> SHIFT, 0, 255)
    return (hidden @ weights[1] + biases[1]).argmax(axis=1)


real = network.score(held_out / LARGEST_PIXEL, held_out_labels)
right = int((classes(held_out) == held_out_labels).sum())
print(f"mlp:64-32-10/{SHIFT}: {right} of {HELD_OUT} held-out images right; in floats {real:.1%}")

# A neuron's weights are next to each other.
flat = {
    "weights": [int(w) for layer in weights for w in layer.T.flat],
    "biases": [int(b) for layer in biases for b in layer],
}
(HERE / "network.json").write_text(json.dumps(flat, separators=(",", ":")) + "\n")

# A column for each image.
rows = [[f"image{number}" for number in range(1, HELD_OUT + 1)], *held_out.T]
lines = (",".join(str(value) for value in row) for row in rows)
(HERE / "images.csv").write_text("\n".join(lines) + "\n")
(HERE / "labels.csv").write_text("label\n" + "\n".join(map(str, held_out_labels)) + "\n")
