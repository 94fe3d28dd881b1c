"""Writes array_files/: small arrays as NumPy 1.24 saves them, for the readers of src/io.

Run: /usr/bin/python3 data/reference/make_array_files_reference.py
The values are those that tests/io/read_arrays_test.cpp writes down by hand.
"""

import pathlib

import numpy as np

folder = pathlib.Path(__file__).parent / "array_files"
folder.mkdir(exist_ok=True)

matrix = np.array([[0.5, -1.25, 3.0], [1e-3, np.inf, 7.0]])
np.save(folder / "float64.npy", matrix)
np.save(folder / "big_endian.npy", matrix.astype(">f8"))
np.save(folder / "fortran.npy", np.asfortranarray(matrix))
np.save(folder / "fortran_three_axes.npy", np.asfortranarray(np.arange(24.0).reshape(2, 3, 4)))
np.save(folder / "float32.npy", np.array([0.1, -np.inf, np.nan], np.float32))
np.save(folder / "float16.npy", np.array([0.1, 65504, -6e-8, np.inf, np.nan, -2], np.float16))
np.save(folder / "float16_big_endian_fortran.npy", np.asfortranarray(np.array([[0.5, -np.inf, np.nan], [1e-7, 2, -3]], ">f2")))
np.save(folder / "int64.npy", np.array([-3, 0, 2**40]))
np.save(folder / "int16_big_endian.npy", np.array([-2, 258], ">i2"))
np.save(folder / "uint8.npy", np.array([[0, 255]], np.uint8))
np.save(folder / "bool.npy", np.array([True, False]))
np.save(folder / "scalar.npy", np.array(2.5))
np.save(folder / "empty.npy", np.zeros((0, 3)))
np.save(folder / "objects.npy", np.array([{}, None], dtype=object), allow_pickle=True)
np.save(folder / "complex.npy", np.array([1j]))
np.save(folder / "text.npy", np.array(["a"]))
np.save(folder / "records.npy", np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]))
np.savez(folder / "stored.npz", weights=np.array([[0.25, 0.75]]), output=np.array([1.5, 2.5], np.float32))
np.savez_compressed(folder / "compressed.npz", weights=np.zeros((40, 40)))
np.savetxt(folder / "savetxt.csv", np.array([[0.1, 0.2], [0.3, 0.4]]))
np.savetxt(folder / "savetxt_comma.csv", np.array([[0.125, 0.2], [-0.3, 4]]), fmt="%.3f", delimiter=",", header="a b")
